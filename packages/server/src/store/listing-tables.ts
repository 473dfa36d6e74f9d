import { sql, type Transaction } from 'kysely'
import { bytes, integer, strict, strictByKey } from './column-types.ts'
import type { ListingsTable, Tables } from './tables.ts'

// A listing says which items of a repository belong to a view. `root` is the position of an item in
// the repository, which no view changes. One that is in the order of its base is one table,
// `members_<listing id>`:
//   position    dense from 0, as in a repository
//   root
// One that is in an order of its own is two:
//   keys_<id>   root and sort key (`sort-key.ts`), in the order of the roots, as they are found
//   order_<id>  sort key and root, in the order of the keys
// and the counted blocks of its keys are in `listing_blocks`.

export const membersTable = (listingId: number) => sql.table(`members_${listingId}`)
export const keysTable = (listingId: number) => sql.table(`keys_${listingId}`)
export const orderTable = (listingId: number) => sql.table(`order_${listingId}`)

export async function createListingTables(
  transaction: Transaction<Tables>,
  kind: ListingsTable['kind'],
  listingId: number,
): Promise<void> {
  if (kind === 'members') {
    await sql`
      create table ${membersTable(listingId)} (
        position ${integer} primary key,
        root ${integer} not null unique
      ) ${strict}`.execute(transaction)
    return
  }
  await sql`
    create table ${keysTable(listingId)} (
      root ${integer} primary key,
      key ${bytes} not null
    ) ${strict}`.execute(transaction)
  await createOrderTable(transaction, listingId)
}

async function createOrderTable(transaction: Transaction<Tables>, listingId: number) {
  await sql`
    create table ${orderTable(listingId)} (
      key ${bytes} primary key,
      root ${integer} not null
    ) ${strictByKey}`.execute(transaction)
}

/** Takes away the order of a listing, as when sorting it was interrupted. */
export async function resetOrder(
  transaction: Transaction<Tables>,
  listingId: number,
): Promise<void> {
  await sql`drop table ${orderTable(listingId)}`.execute(transaction)
  await createOrderTable(transaction, listingId)
  await transaction.deleteFrom('listing_blocks').where('listing_id', '=', listingId).execute()
}
