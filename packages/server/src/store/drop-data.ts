import { sql } from 'kysely'
import { itemTable } from './items.ts'
import { dropLogNodes } from './log-nodes.ts'
import { dropRepoRows } from './repo-rows.ts'
import { rebuildSuperseded } from './superseded.ts'
import { countSegments } from './search-slices.ts'
import type { Db, Store, Transaction } from './store.ts'
import { keysTable, membersTable, orderTable } from './listing-tables.ts'
import type { ListingRow } from './listings.ts'

/** Leaves the items of a repository to be removed in the background. */
export async function leaveToDrop(transaction: Transaction, repoId: number): Promise<void> {
  await transaction.insertInto('dropped_repos').values({ dataset_id: repoId }).execute()
}

/** Repositories that were removed for good and whose items are still there. */
export async function listDroppedRepos(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('dropped_repos').select('dataset_id').execute()
  return rows.map((row) => row.dataset_id)
}

/**
 * Removes so much of what a dropped repository has: first what it says of blobs, then its items, then its log and
 * what is kept to search in it.
 * @returns whether there may be more
 */
export async function dropItemWindow(
  transaction: Transaction,
  repoId: number,
  { count, emptyTable }: { count: number; emptyTable: Store['emptyTable'] },
): Promise<boolean> {
  return (
    (await dropBlobReferences(transaction, repoId, count)) ||
    (await emptyTable(transaction, { name: itemTable(repoId), key: 'position' }, count)) ||
    (await dropLogNodes(transaction, repoId, count)) ||
    (await dropRepoRows(transaction, repoId, count)) ||
    dropSearchSlices(transaction, repoId)
  )
}

async function dropBlobReferences(
  transaction: Transaction,
  repoId: number,
  count: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from blob_references
    where dataset_id = ${repoId} and item_id <= (
      select max(item_id) from (
        select item_id from blob_references
        where dataset_id = ${repoId} order by item_id limit ${count}
      ) as first
    )`.execute(transaction)
  return numAffectedRows > 0n
}

/** Removes those of the last segment that has any. */
async function dropSearchSlices(transaction: Transaction, repoId: number): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('search_slices')
    .where('dataset_id', '=', repoId)
    .where('segment', '=', (await countSegments(transaction, repoId)) - 1)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes the table of a dropped repository; there is nothing left of it then. */
export async function dropItemTable(transaction: Transaction, repoId: number): Promise<void> {
  await sql`drop table ${itemTable(repoId)}`.execute(transaction)
  await transaction.deleteFrom('dropped_repos').where('dataset_id', '=', repoId).execute()
}

export type DroppedListing = Pick<ListingRow, 'id' | 'kind'>

/** Lists dropped listings whose rows are still there. */
export function listDroppedListings(db: Db): Promise<DroppedListing[]> {
  return db
    .selectFrom('listings')
    .select(['id', 'kind'])
    .where('state', '=', 'dropped')
    .orderBy('id')
    .execute()
}

/**
 * Removes so many rows of a dropped listing.
 * @returns whether there may be more
 */
export async function dropListingWindow(
  transaction: Transaction,
  listing: DroppedListing,
  { count, emptyTable }: { count: number; emptyTable: Store['emptyTable'] },
): Promise<boolean> {
  for (const table of tablesOf(listing)) {
    if (await emptyTable(transaction, table, count)) return true
  }
  return false
}

/** Removes the tables of a dropped listing; there is nothing left of it then. */
export async function dropListingTables(
  transaction: Transaction,
  listing: DroppedListing,
): Promise<void> {
  const { id } = listing
  for (const { name } of tablesOf(listing)) await sql`drop table ${name}`.execute(transaction)
  await transaction.deleteFrom('listing_blocks').where('listing_id', '=', id).execute()
  await transaction.deleteFrom('listings').where('id', '=', id).execute()
}

function tablesOf({ id, kind }: DroppedListing) {
  if (kind === 'members') return [{ name: membersTable(id), key: 'position' }]
  return [
    { name: keysTable(id), key: 'root' },
    { name: orderTable(id), key: 'key' },
  ]
}

/**
 * Drops all that is derived of the items of a repository: its search slices, and listings and summaries of it and
 * of every view on it. They are made again when somebody reads them; which items do not hold any more is written again at once.
 */
export async function dropDerived(transaction: Transaction, repoId: number): Promise<void> {
  const ids = sql`
    with recursive derived (id) as (
      select id from datasets where id = ${repoId}
      union all
      select datasets.id from datasets join derived on datasets.base_id = derived.id
    )
    select id from derived`
  await rebuildSuperseded(transaction, repoId)
  await sql`delete from search_slices where dataset_id = ${repoId}`.execute(transaction)
  await sql`delete from summaries where dataset_id in (${ids})`.execute(transaction)
  await sql`update listings set state = 'dropped' where dataset_id in (${ids})`.execute(transaction)
}
