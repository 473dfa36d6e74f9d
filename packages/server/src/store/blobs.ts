import { sql, type ExpressionBuilder } from 'kysely'
import { type Expression, rowLock } from './expressions.ts'
import type { Orphan } from './blob-sightings.ts'
import { holdPrefix } from './leases.ts'
import { now } from './engine-sql.ts'
import { statement } from './statement.ts'
import type { Db, Transaction } from './store.ts'
import type { Tables } from './tables.ts'
import { isVisible, type Visibility } from './visibility.ts'

/**
 * `new` where the blob was not known; `deleting` where collection chose it, and its bytes may go any
 * moment.
 */
export type BlobClaim = 'new' | 'live' | 'deleting'

/** Takes a blob into use, unless collection has chosen it. */
export async function claimBlob(
  transaction: Transaction,
  { sha256, size }: { sha256: string; size: number },
): Promise<BlobClaim> {
  for (;;) {
    // It cannot be chosen for removal before this transaction has written its holder.
    const [existing] = await shareBlob(transaction, { sha256 })
    if (existing?.state === 'live' && existing.isTransient === 1) {
      await keepBlob(transaction, { sha256 })
    }
    if (existing !== undefined) return existing.state
    const inserted = await insertBlob(transaction, { sha256, size })
    if (inserted.length > 0) return 'new'
  }
}

const shareBlob = statement<
  { sha256: string },
  { state: 'live' | 'deleting'; isTransient: number }
>(
  (slot) => sql`
    select state, is_transient as "isTransient" from blobs
    where sha256 = ${slot('sha256')} ${rowLock('share')}`,
)

const keepBlob = statement<{ sha256: string }>(
  (slot) => sql`update blobs set is_transient = 0 where sha256 = ${slot('sha256')}`,
)

const insertBlob = statement<{ sha256: string; size: number }>(
  (slot) => sql`
    insert into blobs (sha256, size, created_at, state)
    values (${slot('sha256')}, ${slot('size')}, ${now}, 'live')
    on conflict (sha256) do nothing returning sha256`,
)

/** Notes that a committed item holds these blobs. */
export async function referenceBlobs(
  transaction: Transaction,
  { datasetId, itemId }: { datasetId: number; itemId: number },
  digests: Iterable<string>,
): Promise<void> {
  for (const sha256 of new Set(digests)) {
    await insertReference(transaction, { sha256, datasetId, itemId })
  }
}

const insertReference = statement<{ sha256: string; datasetId: number; itemId: number }>(
  (slot) => sql`
    insert into blob_references (sha256, dataset_id, item_id)
    values (${slot('sha256')}, ${slot('datasetId')}, ${slot('itemId')})`,
)

/** Digests after `after`, at most `limit` of them, in order. */
export async function listBlobDigests(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('blobs')
    .select('sha256')
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit)
    .execute()
  return rows.map(({ sha256 }) => sha256)
}

/** Lists the digests, of those given, that have a row. */
export async function listKnownBlobs(db: Db, digests: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('blobs')
    .select('sha256')
    .where('sha256', 'in', digests)
    .execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Finds the blobs, of those given, that are in use; only those of items that somebody may read, unless they read all. */
export function findLiveBlobs(
  transaction: Transaction,
  digests: string[],
  visibility: Visibility,
): Promise<{ sha256: string; size: number }[]> {
  return (
    transaction
      .selectFrom('blobs')
      .select(['sha256', 'size'])
      .where('sha256', 'in', digests)
      .where('state', '=', 'live')
      .$if(visibility !== 'all', (query) =>
        query.where(isHeldVisibly(sql.ref('blobs.sha256'), visibility)),
      )
      // They cannot be chosen for removal before this transaction ends.
      .modifyEnd(rowLock('share'))
      .execute()
  )
}

/** Whether an item that somebody may read holds a blob. */
export const isHeldVisibly = (sha256: Expression, visibility: Visibility) => sql<boolean>`
  exists (
    select 1 from blob_references join datasets on datasets.id = blob_references.dataset_id
    where blob_references.sha256 = ${sha256} and ${isVisible(visibility)}
  )`

/**
 * Range of blobs from `after` (left out) to `last` to collect: no item holds them and no insert, import or snapshot
 * leases them. None while collection is held.
 */
type Window = { after: string; last: string; graceMs: number }

export async function hasGarbage(db: Db, window: Window): Promise<boolean> {
  const garbage = await db
    .selectFrom('blobs')
    .select('sha256')
    .where((row) => isGarbage(row, window))
    .limit(1)
    .execute()
  return garbage.length > 0
}

/** Marks the garbage of a window for removal; it cannot be taken into use from here on. */
export async function markGarbage(transaction: Transaction, window: Window): Promise<void> {
  // Locked first, then read again: a use that was under way has been written by now.
  await transaction
    .selectFrom('blobs')
    .select('sha256')
    .where((row) => isGarbage(row, window))
    .orderBy('sha256')
    .modifyEnd(rowLock('remove'))
    .execute()
  await transaction
    .updateTable('blobs')
    .set({ state: 'deleting' })
    .where((row) => isGarbage(row, window))
    .execute()
}

function isGarbage(row: ExpressionBuilder<Tables, 'blobs'>, { after, last, graceMs }: Window) {
  const referenced = row
    .selectFrom('blob_references')
    .select(sql.lit(1).as('one'))
    .whereRef('blob_references.sha256', '=', 'blobs.sha256')
  const leased = row
    .selectFrom('insert_values')
    .select(sql.lit(1).as('one'))
    .whereRef('insert_values.sha256', '=', 'blobs.sha256')
    .where('insert_values.mime', 'is not', null)
  const imported = row
    .selectFrom('import_blobs')
    .select(sql.lit(1).as('one'))
    .whereRef('import_blobs.sha256', '=', 'blobs.sha256')
  const inSnapshot = row
    .selectFrom('snapshot_parts')
    .select(sql.lit(1).as('one'))
    .whereRef('snapshot_parts.sha256', '=', 'blobs.sha256')
  const held = row
    .selectFrom('leases')
    .select(sql.lit(1).as('one'))
    .where('leases.name', 'like', `${holdPrefix}%`)
    .where('leases.expires_at', '>', now)
  return row.and([
    row('blobs.sha256', '>', after),
    row('blobs.sha256', '<=', last),
    row('blobs.state', '=', 'live'),
    row.or([
      row('blobs.created_at', '<=', sql<number>`${now} - ${graceMs}`),
      row('blobs.is_transient', '=', 1),
    ]),
    row.not(row.exists(referenced)),
    row.not(row.exists(leased)),
    row.not(row.exists(imported)),
    row.not(row.exists(inSnapshot)),
    row.not(row.exists(held)),
  ])
}

/**
 * Chooses bytes for removal that have no row, such as those that a crash left between publishing and its
 * write; they are no longer noted as seen.
 */
export async function markOrphans(
  transaction: Transaction,
  orphans: readonly Orphan[],
): Promise<void> {
  await transaction
    .insertInto('blobs')
    .values(
      orphans.map(({ sha256, size }) => ({ sha256, size, created_at: now, state: 'deleting' })),
    )
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute()
  await transaction
    .deleteFrom('blob_sightings')
    .where(
      'sha256',
      'in',
      orphans.map(({ sha256 }) => sha256),
    )
    .execute()
}

/** A blob that collection has chosen. */
export type MarkedBlob = { sha256: string; size: number; isTransient: boolean }

export async function listMarkedBlobs(db: Db, limit: number): Promise<MarkedBlob[]> {
  const rows = await db
    .selectFrom('blobs')
    .select(['sha256', 'size', 'is_transient'])
    // Written out, as SQLite uses a partial index only for a condition that it can read.
    .where('state', '=', sql.lit('deleting' as const))
    .limit(limit)
    .execute()
  return rows.map(({ is_transient, ...blob }) => ({ ...blob, isTransient: is_transient === 1 }))
}

/** Forgets blobs whose bytes are gone. */
export async function dropMarkedBlobs(transaction: Transaction, digests: string[]): Promise<void> {
  await transaction
    .deleteFrom('blobs')
    .where('sha256', 'in', digests)
    .where('state', '=', 'deleting')
    .execute()
  await transaction.deleteFrom('blob_damage').where('sha256', 'in', digests).execute()
  await transaction
    .updateTable('blob_removals')
    .set((row) => ({ count: row('count', '+', 1) }))
    .execute()
}

/**
 * Reads what an uploader has to know before it publishes: the number of removals, and which of the blobs
 * are known to be damaged.
 */
export async function readBlobState(
  db: Db,
  digests: readonly string[],
): Promise<{ removals: number; damaged: Set<string> }> {
  // PostgreSQL takes no empty list.
  if (digests.length === 0) return { removals: 0, damaged: new Set() }
  const rows = await db
    .selectFrom('blob_removals')
    .leftJoin('blob_damage', (join) => join.on('sha256', 'in', digests))
    .select(['count', 'sha256'])
    .execute()
  const damaged = rows.map(({ sha256 }) => sha256).filter((sha256) => sha256 !== null)
  return { removals: rows[0]!.count, damaged: new Set(damaged) }
}

/** Another number whenever blobs were dropped since it was asked before. */
export async function countBlobRemovals(db: Db): Promise<number> {
  const { count } = await db.selectFrom('blob_removals').select('count').executeTakeFirstOrThrow()
  return count
}

/** Blobs in use after `after`, in the order of their digests, each with whether anybody holds it. */
export async function listLiveBlobs(
  db: Db,
  after: string,
  limit: number,
): Promise<{ sha256: string; size: number; isHeld: boolean }[]> {
  const { rows } = await sql<{ sha256: string; size: number; isHeld: number }>`
    select sha256, size,
      exists (select 1 from blob_references where blob_references.sha256 = blobs.sha256)
      or exists (
        select 1 from insert_values
        where insert_values.sha256 = blobs.sha256 and insert_values.mime is not null
      )
      or exists (select 1 from import_blobs where import_blobs.sha256 = blobs.sha256)
      or exists (
        select 1 from snapshot_parts where snapshot_parts.sha256 = blobs.sha256
      ) as "isHeld"
    from blobs where sha256 > ${after} and state = 'live'
    order by sha256 limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, isHeld: Boolean(row.isHeld) }))
}

/** Returns whether a blob is in use, or could be taken into use. */
export async function isLiveBlob(db: Db, sha256: string): Promise<boolean> {
  const row = await db
    .selectFrom('blobs')
    .select('state')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row?.state === 'live'
}

/** The blobs that items of a dataset hold, by their references; no size where a blob is not in use. */
export async function listHeldBlobs(
  db: Db,
  { datasetId, itemIds }: { datasetId: number; itemIds: number[] },
): Promise<{ itemId: number; sha256: string; size: number | null }[]> {
  if (itemIds.length === 0) return []
  return db
    .selectFrom('blob_references')
    .leftJoin('blobs', (join) =>
      join.onRef('blobs.sha256', '=', 'blob_references.sha256').on('blobs.state', '=', 'live'),
    )
    .select(['blob_references.item_id as itemId', 'blob_references.sha256', 'blobs.size'])
    .where('blob_references.dataset_id', '=', datasetId)
    .where('blob_references.item_id', 'in', itemIds)
    .execute()
}

/** References to blobs from items of what is no repository any more, nor one that rests or is being removed. */
export async function listLostReferences(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('blob_references')
    .select('sha256')
    .where('dataset_id', 'not in', (row) => row.selectFrom('datasets').select('id'))
    .where('dataset_id', 'not in', (row) => row.selectFrom('deleted_datasets').select('id'))
    .where('dataset_id', 'not in', (row) => row.selectFrom('dropped_repos').select('dataset_id'))
    .limit(limit)
    .execute()
  return rows.map(({ sha256 }) => sha256)
}
