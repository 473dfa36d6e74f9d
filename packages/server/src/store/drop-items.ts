import { sql, type Transaction } from 'kysely'
import { itemTable } from './items.ts'
import { countSegments } from './search-slices.ts'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

/** Repositories that were deleted and whose items are still there. */
export async function listDroppedRepos(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('dropped_repos').select('dataset_id').execute()
  return rows.map((row) => row.dataset_id)
}

/**
 * Removes the first `count` of the remaining items of a dropped repository with what they say of blobs, and
 * after all of them what is kept to search in them.
 * @returns whether there were any
 */
export async function dropItemWindow(
  transaction: Transaction<Tables>,
  repoId: number,
  count: number,
): Promise<boolean> {
  const table = itemTable(repoId)
  const { rows } = await sql<{ first: number | null }>`
    select min(position) as first from ${table}`.execute(transaction)
  const first = rows[0]?.first ?? null
  if (first === null) return dropSearchSlices(transaction, repoId)
  await sql`
    delete from blob_references where dataset_id = ${repoId} and item_id in (
      select id from ${table} where position < ${first + count}
    )`.execute(transaction)
  await sql`delete from ${table} where position < ${first + count}`.execute(transaction)
  return true
}

/** Removes those of the last segment that has any. */
async function dropSearchSlices(
  transaction: Transaction<Tables>,
  repoId: number,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('search_slices')
    .where('dataset_id', '=', repoId)
    .where('segment', '=', (await countSegments(transaction, repoId)) - 1)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes the empty table of a dropped repository; there is nothing left of it then. */
export async function dropItemTable(
  transaction: Transaction<Tables>,
  repoId: number,
): Promise<void> {
  await sql`drop table ${itemTable(repoId)}`.execute(transaction)
  await transaction.deleteFrom('dropped_repos').where('dataset_id', '=', repoId).execute()
}
