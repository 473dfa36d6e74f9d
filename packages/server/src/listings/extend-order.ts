import { sql } from 'kysely'
import { type Block, cutKeys, keysTable, orderTable, putBlocks } from '../store/listing-tables.ts'
import type { Db, Transaction } from '../store/store.ts'
import type { OrderBlocks } from './order-blocks.ts'
import type { Sizes } from './sizes.ts'

type Roots = { from: number; to: number }

/**
 * Puts the keys of some roots, which are in the table of keys already, into the order of a listing.
 * @returns the blocks as they are then
 */
export async function extendOrder(
  transaction: Transaction,
  listingId: number,
  blocks: OrderBlocks,
  { from, to }: Roots,
  { blockMax, block: blockSize }: Sizes,
): Promise<OrderBlocks> {
  const added = sql`
    from ${keysTable(listingId)} where root >= ${from} and root < ${to} order by key`
  await sql`
    insert into ${orderTable(listingId)} (key, root) select key, root ${added}`.execute(transaction)
  const { rows } = await sql<{ key: Uint8Array }>`select key ${added}`.execute(transaction)

  const grown = new Map<number, number>()
  for (const { key } of rows) {
    const { index } = blocks.atKey(key)
    grown.set(index, (grown.get(index) ?? 0) + 1)
  }
  const replacements = new Map<number, Block[]>()
  for (const [index, more] of grown) {
    const { firstKey, count } = blocks.get(index)
    const block = { firstKey, count: count + more }
    replacements.set(
      index,
      block.count > blockMax ? await cut(transaction, listingId, block, blockSize) : [block],
    )
  }
  await putBlocks(transaction, listingId, [...replacements.values()].flat())
  return blocks.with(replacements)
}

async function cut(
  on: Db,
  listingId: number,
  { firstKey, count }: Block,
  blockSize: number,
): Promise<Block[]> {
  const { rows } = await sql<{ key: Uint8Array }>`
    select key from ${orderTable(listingId)} where key >= ${firstKey}
    order by key limit ${count}`.execute(on)
  const keys = rows.map(({ key }) => key)
  return cutKeys(keys, blockSize).with(0, { firstKey, count: Math.min(blockSize, count) })
}
