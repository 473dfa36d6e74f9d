import { sql } from 'kysely'
import { endedGrant, revokedAccessToken } from './provider-state.ts'
import type { Store } from './store.ts'

/** The standing of an access token of the built-in provider: whether it was revoked since it was issued. */
export type TokenStanding = {
  /** Whether the token was taken back, or its grant was ended. */
  isEnded: boolean
  /** When all sessions of its account were last ended, in milliseconds since 1970; 0 if never. */
  sessionsEndedAt: number
}

/** Prepares looking that up; undefined when the account is gone. It is asked at every call of the API. */
export function findTokenStanding({
  prepare,
}: Pick<Store, 'prepare'>): (token: {
  accountId: string
  grantId: string
  tokenId: string
}) => Promise<TokenStanding | undefined> {
  const select = prepare<
    { accountId: string; grantId: string; tokenId: string },
    [sessionsEndedAt: number, isEnded: number]
  >(
    (slot) => sql`
      select sessions_ended_at, (
        select count(*) from provider_state where
          (kind = ${sql.lit(endedGrant)} and id = ${slot('grantId')})
          or (kind = ${sql.lit(revokedAccessToken)} and id = ${slot('tokenId')})
      )
      from accounts where id = ${slot('accountId')}`,
  )
  return async (token) => {
    const [row] = await select(token)
    if (row === undefined) return undefined
    const [sessionsEndedAt, ended] = row
    return { sessionsEndedAt, isEnded: ended > 0 }
  }
}
