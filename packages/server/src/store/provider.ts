import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Db, Store } from './store.ts'
import { now } from './engine-sql.ts'
import type { ProviderStateTable } from './provider-tables.ts'
import type { Tables } from './tables.ts'

export async function findProviderKey(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('provider_keys')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

/** Keeps a value unless there is one already. */
export async function addProviderKey(
  db: Db,
  { name, value }: { name: string; value: string },
): Promise<void> {
  await db
    .insertInto('provider_keys')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

type Row = Selectable<ProviderStateTable>
type Key = Pick<Row, 'kind' | 'id'>

/**
 * Kinds of access tokens that are refused before their time: those of a grant that was ended, and single
 * ones, by their `jti`.
 */
const endedGrant = 'EndedGrant'
export const revokedAccessToken = 'RevokedAccessToken'

/** Longer than any access token lives (`VITRINE_ACCESS_TOKEN_SECONDS` is a day at most). */
const endedUntil = sql<number>`${now} + ${sql.lit(25 * 3_600_000)}`

/** Finds an unexpired entry by its key or by another name. */
export async function findState(
  db: Db,
  key: Key | Pick<Row, 'kind' | 'uid'>,
): Promise<Pick<Row, 'payload' | 'consumed_at'> | undefined> {
  return db
    .selectFrom('provider_state')
    .select(['payload', 'consumed_at'])
    .where('kind', '=', key.kind)
    .where(({ eb }) => ('id' in key ? eb('id', '=', key.id) : eb('uid', '=', key.uid)))
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function putState(db: Db, row: Omit<Row, 'consumed_at'>): Promise<void> {
  const { kind: _kind, id: _id, ...columns } = row
  await db
    .insertInto('provider_state')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(columns))
    .execute()
}

/** @returns false if it was consumed before: of two that come together, one is told so */
export async function consumeState(db: Db, { kind, id }: Key): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('provider_state')
    .set({ consumed_at: now })
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteState(db: Db, { kind, id }: Key): Promise<void> {
  await db.deleteFrom('provider_state').where('kind', '=', kind).where('id', '=', id).execute()
}

export async function deleteStateOfGrant(
  db: Db,
  { kind, grantId }: { kind: string; grantId: string },
): Promise<void> {
  await db
    .deleteFrom('provider_state')
    .where('grant_id', '=', grantId)
    .where('kind', '=', kind)
    .execute()
}

/** Deletes a grant and refuses the access tokens issued on it; other state of it is left. */
export async function endGrant(db: Db, id: string): Promise<void> {
  await db
    .insertInto('provider_state')
    .values({ kind: endedGrant, id, payload: '{}', expires_at: endedUntil })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await deleteState(db, { kind: 'Grant', id })
}

export async function deleteExpiredState(db: Db): Promise<void> {
  await db.deleteFrom('provider_state').where('expires_at', '<=', now).execute()
}

/** Kinds of state: sessions that were ended, by their uid, and which browser somebody signed in with. */
const endedSession = 'EndedSession'
export const signedInBrowser = 'SignedInBrowser'

/** A session in a browser, by its uid, or none where only grants are meant; and grants. */
export type SessionKeys = { sessionUid: string | undefined; grantIds: string[] }

/** Lists the stored state of the sessions of an account. */
export async function listSessionState(
  db: Db,
  accountId: string,
): Promise<{ kind: string; id: string; uid: string | null; payload: string }[]> {
  return db
    .selectFrom('provider_state')
    .select(['kind', 'id', 'uid', 'payload'])
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['Session', 'Grant', signedInBrowser])
    .where('expires_at', '>', now)
    .execute()
}

/** When tokens of an account were last renewed, in milliseconds since 1970, by their grants. */
export async function lastRenewals(db: Db, accountId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('provider_state')
    .select(({ fn }) => ['grant_id', fn.max('consumed_at').as('at')])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'RefreshToken')
    .where('consumed_at', 'is not', null)
    .groupBy('grant_id')
    .execute()
  return new Map(rows.map(({ grant_id, at }) => [grant_id ?? '', Number(at)]))
}

/**
 * Removes the session that a request has just saved, if somebody else ended it while the request was under
 * way.
 */
export async function dropEndedSession(
  db: Db,
  { id, uid }: { id: string; uid: string },
): Promise<void> {
  await db
    .deleteFrom('provider_state')
    .where('kind', '=', 'Session')
    .where('id', '=', id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('provider_state as ended')
          .select('ended.id')
          .where('ended.kind', '=', endedSession)
          .where('ended.id', '=', uid),
      ),
    )
    .execute()
}

/**
 * Ends the sessions of an account, its sign-ins of the command line, and all that was issued on their grants:
 * all of them, only some, or all but some.
 */
export async function endSessions(
  db: Db,
  { accountId, only, except }: { accountId: string; only?: SessionKeys; except?: SessionKeys },
): Promise<void> {
  const meant = (row: ExpressionBuilder<Tables, 'provider_state'>) =>
    row.and([
      row('account_id', '=', accountId),
      ...(only === undefined ? [] : [belongs(row, only)]),
      ...(except === undefined ? [] : [row.not(belongs(row, except))]),
    ])
  const noteEnded = (kind: string, ended: { kind: string; key: 'id' | 'uid' }) =>
    db
      .insertInto('provider_state')
      .columns(['kind', 'id', 'payload', 'expires_at'])
      .expression(
        db
          .selectFrom('provider_state')
          .select(({ ref }) => [
            sql.lit(kind).as('kind'),
            ref(ended.key).$notNull().as('id'),
            sql.lit('{}').as('payload'),
            endedUntil.as('expires_at'),
          ])
          .where('kind', '=', ended.kind)
          .where(meant),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await noteEnded(endedGrant, { kind: 'Grant', key: 'id' })
  await noteEnded(endedSession, { kind: 'Session', key: 'uid' })
  await db.deleteFrom('provider_state').where(meant).execute()
}

/** Whether a row is one of these sessions or grants, or is of one of them. */
function belongs(
  row: ExpressionBuilder<Tables, 'provider_state'>,
  { sessionUid, grantIds }: SessionKeys,
) {
  const is = (kind: string, key: 'id' | 'uid', value: string) =>
    row.and([row('kind', '=', kind), row(key, '=', value)])
  return row.or([
    ...(sessionUid === undefined
      ? []
      : [is('Session', 'uid', sessionUid), is(signedInBrowser, 'id', sessionUid)]),
    ...grantIds.flatMap((id) => [
      is('Grant', 'id', id),
      row(row.fn.coalesce('grant_id', sql.lit('')), '=', id),
    ]),
  ])
}

/** The standing of an access token of the built-in provider: whether it was revoked since it was issued. */
export type TokenState = {
  /** Whether the token was taken back, or its grant was ended. */
  isEnded: boolean
  /** When all sessions of its account were last ended, in milliseconds since 1970; 0 if never. */
  sessionsEndedAt: number
}

/** Prepares looking that up; undefined when the account is gone. It is asked at every call of the API. */
export function findTokenState({
  prepare,
}: Pick<Store, 'prepare'>): (token: {
  accountId: string
  grantId: string
  tokenId: string
}) => Promise<TokenState | undefined> {
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
