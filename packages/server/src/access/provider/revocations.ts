import type { JWTPayload } from 'jose'
import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { findTokenState, putState, revokedAccessToken } from '../../store/provider.ts'
import type { Store } from '../../store/store.ts'
import type { AccessToken } from '../access-token.ts'
import { isNative } from './clients.ts'

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
  const stateOf = findTokenState(store)
  return async ({ identity, id = '', sessionId = '', issuedAt = 0 }) => {
    const token = { accountId: identity.subject, grantId: sessionId, tokenId: id }
    const state = await stateOf(token)
    if (state === undefined || state.isEnded) return true
    return issuedAt < Math.floor(state.sessionsEndedAt / 1000)
  }
}

/**
 * The grant of a session, made where there is none: the app is our own, so nobody is asked for consent.
 * It is saved at every use, and so outlives everything that is issued on it. Every sign-in of the
 * command line has a grant of its own, as revoking a token ends its grant.
 */
export async function existingGrant(
  ctx: KoaContextWithOIDC,
  { api, scope }: { api: string; scope: string },
): Promise<Grant | undefined> {
  const { oidc } = ctx
  const accountId = oidc.session?.accountId
  const clientId = oidc.client?.clientId
  if (accountId === undefined || clientId === undefined) return undefined

  const grantId = isNative(ctx) ? undefined : oidc.session?.grantIdFor(clientId)
  const existing = grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId)
  const grant =
    existing?.accountId === accountId ? existing : new oidc.provider.Grant({ accountId, clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(api, scope)
  await grant.save()
  return grant
}
