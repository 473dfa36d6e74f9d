import { rowLock } from './expressions.ts'
import type { Db, Transaction } from './store.ts'
import type { SearchSlicesTable } from './tables.ts'

/** Slices of the filters of a segment that are kept together. */
export type SlicePart = Omit<SearchSlicesTable, 'dataset_id'>

/** Counts the segments of a repository whose filters are stored; they are made in their order. */
export async function countSegments(db: Db, repoId: number): Promise<number> {
  const last = await db
    .selectFrom('search_slices')
    .select('segment')
    .where('dataset_id', '=', repoId)
    .orderBy('segment', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined ? 0 : last.segment + 1
}

export function listSlices(
  db: Db,
  repoId: number,
  { segments, parts }: { segments: readonly number[]; parts: readonly number[] },
): Promise<SlicePart[]> {
  return db
    .selectFrom('search_slices')
    .select(['segment', 'part', 'slices'])
    .where('dataset_id', '=', repoId)
    .where('segment', 'in', segments)
    .where('part', 'in', parts)
    .execute()
}

/** Returns all slices of a segment, one after the other. */
export async function readSegment(db: Db, repoId: number, segment: number): Promise<Uint8Array> {
  const parts = await db
    .selectFrom('search_slices')
    .select('slices')
    .where('dataset_id', '=', repoId)
    .where('segment', '=', segment)
    .orderBy('part')
    .execute()
  return Buffer.concat(parts.map(({ slices }) => slices))
}

/**
 * Keeps the filters of a segment of a repository, unless another is the next one by now: all may have been dropped.
 * @returns false where it was deleted
 */
export async function keepSegment(
  transaction: Transaction,
  repoId: number,
  parts: readonly SlicePart[],
): Promise<boolean> {
  const repo = await transaction
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', repoId)
    .modifyEnd(rowLock('share'))
    .executeTakeFirst()
  if (repo === undefined) return false
  if (parts[0]?.segment !== (await countSegments(transaction, repoId))) return true
  const rows = parts.map((part) => ({ dataset_id: repoId, ...part }))
  await transaction
    .insertInto('search_slices')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}
