import { sql } from 'kysely'
import { rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import type { Db, Transaction } from './store.ts'

/** Key of a snapshot. */
export type SnapshotKey = { datasetId: number; at: number; revision: number; version: number }

/** A file of a snapshot. */
export type SnapshotPart = { sha256: string; size: number; rows: number }

/** A snapshot that is there. */
export type SnapshotRow = {
  id: number
  /** Milliseconds since it was last noted that somebody reads it. */
  unusedMs: number
  /** In the order of their rows. */
  parts: SnapshotPart[]
}

/** Snapshots to keep: those that were read within `quietMs` milliseconds, and those of these ids. */
export type SnapshotsInUse = { quietMs: number; ids: readonly number[] }

export async function findSnapshot(
  db: Db,
  { datasetId, at, revision, version }: SnapshotKey,
): Promise<SnapshotRow | undefined> {
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('snapshot_parts', 'snapshot_parts.snapshot_id', 'snapshots.id')
    .select(['id', 'sha256', 'size', 'rows', sql<number>`${now} - used_at`.as('unusedMs')])
    .where('dataset_id', '=', datasetId)
    .where('at', '=', at)
    .where('revision', '=', revision)
    .where('version', '=', version)
    .orderBy('number')
    .execute()
  const [first] = rows
  if (first === undefined) return undefined
  const parts = rows.map(({ sha256, size, rows: count }) => ({ sha256, size, rows: count }))
  return { id: first.id, unusedMs: first.unusedMs, parts }
}

/** Notes that somebody reads a snapshot; returns whether it is still there. */
export async function touchSnapshot(transaction: Transaction, id: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('snapshots')
    .set({ used_at: now })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Keeps the files of a snapshot.
 * @returns false where the dataset is gone, or has another revision by now
 */
export async function keepSnapshot(
  transaction: Transaction,
  { datasetId, at, revision, version }: SnapshotKey,
  parts: readonly SnapshotPart[],
): Promise<boolean> {
  const dataset = await transaction
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', datasetId)
    .where('revision', '=', revision)
    .modifyEnd(rowLock('share'))
    .executeTakeFirst()
  if (dataset === undefined) return false
  const { id } = await transaction
    .insertInto('snapshots')
    .values({ dataset_id: datasetId, at, revision, version, used_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transaction
    .insertInto('snapshot_parts')
    .values(parts.map((part, number) => ({ snapshot_id: id, number, ...part })))
    .execute()
  return true
}

/** How many bytes snapshots have: all, or those that stay. */
export async function countSnapshotBytes(db: Db, inUse?: SnapshotsInUse): Promise<number> {
  const { bytes } = await db
    .selectFrom('snapshots')
    .innerJoin('snapshot_parts', 'snapshot_parts.snapshot_id', 'snapshots.id')
    .select((row) => row.fn.sum<number | string | null>('size').as('bytes'))
    .$if(inUse !== undefined, (query) => query.where((row) => row.not(isIdle(inUse!))))
    .executeTakeFirstOrThrow()
  // PostgreSQL adds up to what may be more than JavaScript counts.
  return Number(bytes ?? 0)
}

/**
 * Lets go of snapshots, those first that were read longest ago, until the others have so many bytes together.
 * @returns whether they do
 */
export async function makeSnapshotRoom(
  transaction: Transaction,
  bytes: number,
  inUse: SnapshotsInUse,
): Promise<boolean> {
  let over = (await countSnapshotBytes(transaction)) - bytes
  while (over > 0) {
    const oldest = await transaction
      .selectFrom('snapshots')
      .innerJoin('snapshot_parts', 'snapshot_parts.snapshot_id', 'snapshots.id')
      .select((row) => ['id', row.fn.sum<number | string>('size').as('bytes')])
      .where(isIdle(inUse))
      .groupBy(['id', 'used_at'])
      .orderBy('used_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (oldest === undefined) return false
    await dropSnapshot(transaction, oldest.id)
    over -= Number(oldest.bytes)
  }
  return true
}

/** Snapshots that nobody has read for so long, whose dataset is gone, or of which a file is damaged. */
export async function listNeedlessSnapshots(
  db: Db,
  { idleMs, inUse }: { idleMs: number; inUse: SnapshotsInUse },
): Promise<number[]> {
  const rows = await db
    .selectFrom('snapshots')
    .select('id')
    .where(isIdle(inUse))
    .where((row) =>
      row.or([
        sql<boolean>`used_at <= ${now} - ${idleMs}`,
        row('dataset_id', 'not in', row.selectFrom('datasets').select('id')),
        row.exists(
          row
            .selectFrom('snapshot_parts')
            .innerJoin('blob_damage', 'blob_damage.sha256', 'snapshot_parts.sha256')
            .select(sql.lit(1).as('one'))
            .whereRef('snapshot_parts.snapshot_id', '=', 'snapshots.id'),
        ),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Lets go of a snapshot: its files go with the next collection, without the trash, as they can be made again. */
export async function dropSnapshot(transaction: Transaction, id: number): Promise<void> {
  await transaction
    .updateTable('blobs')
    .set({ is_transient: 1 })
    .where('sha256', 'in', (select) =>
      select.selectFrom('snapshot_parts').select('sha256').where('snapshot_id', '=', id),
    )
    .where('state', '=', 'live')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('blob_references')
            .select(sql.lit(1).as('one'))
            .whereRef('blob_references.sha256', '=', 'blobs.sha256'),
        ),
      ),
    )
    .execute()
  await transaction.deleteFrom('snapshot_parts').where('snapshot_id', '=', id).execute()
  await transaction.deleteFrom('snapshots').where('id', '=', id).execute()
}

function isIdle({ quietMs, ids }: SnapshotsInUse) {
  const isQuiet = sql<boolean>`used_at <= ${now} - ${quietMs}`
  return ids.length === 0 ? isQuiet : sql<boolean>`(${isQuiet} and id not in (${sql.join(ids)}))`
}
