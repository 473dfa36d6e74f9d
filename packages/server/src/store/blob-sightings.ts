import { sql } from 'kysely'
import { now } from './engine-sql.ts'
import type { Db, Transaction } from './store.ts'

/** Bytes in the blob store that the database does not know. */
export type Orphan = { sha256: string; size: number }

/** Returns the database's clock, in milliseconds since 1970. */
export async function readClock(db: Db): Promise<number> {
  const { clock } = await db.selectNoFrom(sql<number>`${now}`.as('clock')).executeTakeFirstOrThrow()
  return clock
}

/** Notes that orphans are there: their grace counts from the first time. */
export async function recordSightings(
  transaction: Transaction,
  orphans: readonly Orphan[],
): Promise<void> {
  await transaction
    .insertInto('blob_sightings')
    .values(
      orphans.map((orphan) => ({
        ...orphan,
        first_seen_at: now,
        last_seen_at: now,
        is_approved: 0,
      })),
    )
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ last_seen_at: now }))
    .execute()
}

export async function hasSightings(db: Db): Promise<boolean> {
  const rows = await db.selectFrom('blob_sightings').select('sha256').limit(1).execute()
  return rows.length > 0
}

/** Forgets orphans that were not seen since `moment`: they are gone, or known by now. */
export async function forgetSightings(transaction: Transaction, moment: number): Promise<void> {
  await transaction.deleteFrom('blob_sightings').where('last_seen_at', '<', moment).execute()
}

/** Counts the orphans past their grace whose collection was not approved. */
export async function countDueOrphans(db: Db, graceMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('blob_sightings')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('first_seen_at', '<=', sql<number>`${now} - ${graceMs}`)
    .where('is_approved', '=', 0)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns orphans past their grace: all, or those whose collection was approved. */
export function listDueOrphans(
  db: Db,
  { graceMs, approvedOnly, limit }: { graceMs: number; approvedOnly: boolean; limit: number },
): Promise<Orphan[]> {
  return db
    .selectFrom('blob_sightings')
    .select(['sha256', 'size'])
    .where('first_seen_at', '<=', sql<number>`${now} - ${graceMs}`)
    .where('is_approved', '>=', approvedOnly ? 1 : 0)
    .limit(limit)
    .execute()
}

/** Approves the collection of all orphans seen so far; returns how many they are. */
export async function approveOrphans(transaction: Transaction): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('blob_sightings')
    .set({ is_approved: 1 })
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
