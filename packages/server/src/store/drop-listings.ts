import { sql, type RawBuilder, type Transaction } from 'kysely'
import { keysTable, membersTable, orderTable } from './listing-tables.ts'
import type { ListingRow } from './listings.ts'
import type { Db } from './store.ts'
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
 * Removes so many rows of each table of a dropped listing.
 * @returns whether there were any
 */
export async function dropListingWindow(
  transaction: Transaction<Tables>,
  { id, kind }: DroppedListing,
  count: number,
): Promise<boolean> {
  const tables: [RawBuilder<unknown>, string][] =
    kind === 'members'
      ? [[membersTable(id), 'position']]
      : [
          [keysTable(id), 'root'],
          [orderTable(id), 'key'],
        ]
  let removed = 0n
  for (const [table, column] of tables) {
    const key = sql.ref(column)
    const { numAffectedRows = 0n } = await sql`
      delete from ${table}
      where ${key} in (select ${key} from ${table} order by ${key} limit ${count})
    `.execute(transaction)
    removed += numAffectedRows
  }
  return removed > 0n
}

/** Removes the empty tables of a dropped listing; there is nothing left of it then. */
export async function dropListingTables(
  transaction: Transaction<Tables>,
  { id, kind }: DroppedListing,
): Promise<void> {
  const tables = kind === 'members' ? [membersTable(id)] : [keysTable(id), orderTable(id)]
  for (const table of tables) await sql`drop table ${table}`.execute(transaction)
  await transaction.deleteFrom('listing_blocks').where('listing_id', '=', id).execute()
  await transaction.deleteFrom('listings').where('id', '=', id).execute()
}
