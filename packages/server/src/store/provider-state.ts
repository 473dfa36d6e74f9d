import { sql, type Selectable } from 'kysely'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { ProviderStateTable } from './tables.ts'

type Row = Selectable<ProviderStateTable>
type Key = Pick<Row, 'kind' | 'id'>

/**
 * Kinds of access tokens that are refused before their time: those of a grant that was ended, and single
 * ones, by their `jti`.
 */
export const endedGrant = 'EndedGrant'
export const revokedAccessToken = 'RevokedAccessToken'

/** Longer than any access token lives (`VITRINE_ACCESS_TOKEN_SECONDS` is a day at most). */
export const endedUntil = sql<number>`${now} + ${sql.lit(25 * 3_600_000)}`

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
