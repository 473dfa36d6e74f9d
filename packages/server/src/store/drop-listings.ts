import { sql, type Transaction } from 'kysely'
import { keysTable, membersTable, orderTable } from './listing-tables.ts'
import type { ListingRow } from './listings.ts'
import type { Db, Store } from './store.ts'
import type { Tables } from './tables.ts'

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
  transaction: Transaction<Tables>,
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
  transaction: Transaction<Tables>,
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
 * of every view on it. They are made again when somebody reads them.
 */
export async function dropDerived(transaction: Transaction<Tables>, repoId: number): Promise<void> {
  const ids = sql`
    with recursive derived (id) as (
      select id from datasets where id = ${repoId}
      union all
      select datasets.id from datasets join derived on datasets.base_id = derived.id
    )
    select id from derived`
  await sql`delete from search_slices where dataset_id = ${repoId}`.execute(transaction)
  await sql`delete from summaries where dataset_id in (${ids})`.execute(transaction)
  await sql`update listings set state = 'dropped' where dataset_id in (${ids})`.execute(transaction)
}
