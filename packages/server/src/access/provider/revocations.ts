import type { JWTPayload } from 'jose'
import { findTokenStanding, putState, revokedAccessToken } from '../../store/provider.ts'
import type { Store } from '../../store/store.ts'
import type { AccessToken } from '../access-token.ts'

/** Access tokens that end before their time. */
export type Revocations = {
  /** Takes a single token back. */
  revoke: (payload: JWTPayload) => Promise<void>
  /**
   * Whether a token was taken back or its grant was ended, as it is at sign-out, or its account was
   * removed or has another password. The database is asked, as any process may do these.
   */
  isRevoked: (token: AccessToken) => Promise<boolean>
}

export function createRevocations(store: Store): Revocations {
  return {
    revoke: async ({ jti: id, exp }) => {
      if (id === undefined || exp === undefined) return
      await store.write((transaction) =>
        putState(transaction, {
          kind: revokedAccessToken,
          id,
          payload: '{}',
          uid: null,
          grant_id: null,
          account_id: null,
          // A token is taken for some seconds after its expiry.
          expires_at: (exp + 60) * 1000,
        }),
      )
    },
    isRevoked: createRevocationCheck(store),
  }
}

export function createRevocationCheck(store: Pick<Store, 'prepare'>): Revocations['isRevoked'] {
  const standingOf = findTokenStanding(store)
  return async ({ identity, id = '', sessionId = '', issuedAt = 0 }) => {
    const token = { accountId: identity.subject, grantId: sessionId, tokenId: id }
    const standing = await standingOf(token)
    if (standing === undefined || standing.isEnded) return true
    return issuedAt < Math.floor(standing.sessionsEndedAt / 1000)
  }
}
