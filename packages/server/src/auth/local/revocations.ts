import type { JWTPayload } from 'jose'
import { findAccount } from '../../store/accounts.ts'
import { findState, putState } from '../../store/provider-state.ts'
import type { Store } from '../../store/store.ts'

const kind = 'RevokedAccessToken'

/** Access tokens that were taken back before their time. They are few, and forgotten when it is over. */
export type Revocations = {
  /** How many this process has made: what it verified before is no longer sure. */
  count: () => number
  revoke: (payload: JWTPayload) => Promise<void>
  isRevoked: (payload: JWTPayload) => Promise<boolean>
}

export function createRevocations(store: Store): Revocations {
  let count = 0
  return {
    count: () => count,
    revoke: async ({ jti, sub, exp }) => {
      if (jti === undefined || exp === undefined) return
      await store.write((transaction) =>
        putState(transaction, {
          kind,
          id: jti,
          payload: '{}',
          uid: null,
          grant_id: null,
          account_id: sub ?? null,
          // A token is taken for some seconds after its expiry.
          expires_at: (exp + 60) * 1000,
        }),
      )
      count += 1
    },
    isRevoked: async ({ jti = '', sub = '', iat = 0 }) => {
      const account = await findAccount(store.reads, sub)
      if (account === undefined || iat < Math.floor(account.sessions_ended_at / 1000)) return true
      return (await findState(store.reads, { kind, id: jti })) !== undefined
    },
  }
}
