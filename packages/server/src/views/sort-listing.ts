import type { Transaction } from 'kysely'
import { putBlocks } from '../store/listing-blocks.ts'
import { resetOrder } from '../store/listing-tables.ts'
import { findListing } from '../store/listings.ts'
import { putSortedKeys } from '../store/put-sorted-keys.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { cutKeys } from './extend-order.ts'
import type { Sizes } from './sizes.ts'

/** Runs one write of many in its turn. */
export type InTurn = <T>(write: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>

/**
 * Puts all keys of a listing into order, from nothing: written one after another, in their order, they
 * cost a small part of what each would cost where it belongs. Ends early when nobody needs it any more.
 */
export async function sortListing(
  { store, inTurn, sizes }: { store: Store; inTurn: InTurn; sizes: Sizes },
  listingId: number,
): Promise<void> {
  const whileBuilding = (write: (transaction: Transaction<Tables>) => Promise<void>) =>
    inTurn(async (transaction) => {
      const row = await findListing(transaction, listingId)
      if (row?.state !== 'building') return false
      await write(transaction)
      return true
    })
  const isWanted = await whileBuilding((transaction) => resetOrder(transaction, listingId))
  if (!isWanted) return
  let isFirst = true
  for await (const sorted of store.sortKeys(listingId, sizes.sortedBatch)) {
    const blocks = cutKeys(sorted.keys, sizes.block)
    if (isFirst) blocks[0] = { ...blocks[0]!, firstKey: new Uint8Array() }
    isFirst = false
    const isStillWanted = await whileBuilding(async (transaction) => {
      await putSortedKeys(transaction, listingId, sorted)
      await putBlocks(transaction, listingId, blocks)
    })
    if (!isStillWanted) return
  }
}
