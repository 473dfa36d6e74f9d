import { sql, type ExpressionBuilder } from 'kysely'
import { now } from './now.ts'
import { endedGrant, endedUntil } from './provider-state.ts'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

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
