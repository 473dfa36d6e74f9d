import { sql } from 'kysely'
import { bytes, integer, strict, strictByKey } from './engine-sql.ts'
import type { ListingsTable } from './tables.ts'
import type { Db, Transaction } from './store.ts'

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
  transaction: Transaction,
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

async function createOrderTable(transaction: Transaction, listingId: number) {
  await sql`
    create table ${orderTable(listingId)} (
      key ${bytes} primary key,
      root ${integer} not null
    ) ${strictByKey}`.execute(transaction)
}

/** Takes away the order of a listing, as when sorting it was interrupted. */
export async function resetOrder(transaction: Transaction, listingId: number): Promise<void> {
  await sql`drop table ${orderTable(listingId)}`.execute(transaction)
  await createOrderTable(transaction, listingId)
  await transaction.deleteFrom('listing_blocks').where('listing_id', '=', listingId).execute()
}

/** Blocks written by one statement. */
const batch = 500

/** A run of keys: its first one, at or below all keys in it, and how many there are. */
export type Block = { firstKey: Uint8Array; count: number }

/** Blocks in the order of their keys, from the first one after `after`. */
export async function readBlocks(
  db: Db,
  listingId: number,
  { after, limit }: { after: Uint8Array | undefined; limit: number },
): Promise<Block[]> {
  let query = db
    .selectFrom('listing_blocks')
    .select(['first_key as firstKey', 'count'])
    .where('listing_id', '=', listingId)
    .orderBy('first_key')
    .limit(limit)
  if (after !== undefined) query = query.where('first_key', '>', after)
  return query.execute()
}

/** Puts blocks in the place of those that begin with the same keys. */
export async function putBlocks(
  transaction: Transaction,
  listingId: number,
  blocks: readonly Block[],
): Promise<void> {
  for (let from = 0; from < blocks.length; from += batch) {
    const values = blocks
      .slice(from, from + batch)
      .map(({ firstKey, count }) => ({ listing_id: listingId, first_key: firstKey, count }))
    await transaction
      .insertInto('listing_blocks')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['listing_id', 'first_key'])
          .doUpdateSet((row) => ({ count: row.ref('excluded.count') })),
      )
      .execute()
  }
}

/** Cuts keys in their order into blocks. */
export function cutKeys(keys: readonly Uint8Array[], blockSize: number): Block[] {
  const blocks: Block[] = []
  for (let from = 0; from < keys.length; from += blockSize) {
    const count = Math.min(blockSize, keys.length - from)
    blocks.push({ firstKey: keys[from]!, count })
  }
  return blocks
}
