import { resetOrder } from '../store/listing-tables.ts'
import { findListing } from '../store/listings.ts'
import type { Store } from '../store/store.ts'
import type { Lane } from '../listings/serial-queue.ts'
import type { Sizes } from '../listings/sizes.ts'

/**
 * Puts all keys of a listing into order, from nothing: written one after another, in their order, they
 * cost a small part of what each would cost where it belongs. Ends early when nobody needs it any more.
 */
export async function sortListing(
  { store, lane, sizes }: { store: Store; lane: Lane; sizes: Sizes },
  listingId: number,
): Promise<void> {
  const isWanted = await lane.inTurn(async (transaction) => {
    const row = await findListing(transaction, listingId)
    if (row?.state !== 'building') return false
    await resetOrder(transaction, listingId)
    return true
  })
  if (!isWanted) return
  const { sortedBatch: batch, block } = sizes
  for await (const put of store.sortKeys(listingId, { batch, block })) {
    if (!(await lane.turn(put))) return
  }
}
