import type { Transaction } from 'kysely'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

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
  transaction: Transaction<Tables>,
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
