import { setTimeout as sleep } from 'node:timers/promises'
import {
  dropListing,
  findListings,
  lockListing,
  scannedForGood,
  updateListing,
  type ListingRow,
  findListing,
} from '../store/listings.ts'
import { isBaseDropped } from './base-reach.ts'
import { extendOrder } from './extend-order.ts'
import { fillWindow, type ReadWindow, type Source } from './fill-window.ts'
import { OrderBlocks } from './order-blocks.ts'
import type { Listing } from '../language/sequence.ts'
import type { ListingContext } from './listing-context.ts'
import { resetOrder } from '../store/listing-tables.ts'
import type { Transaction } from '../store/store.ts'

/** How often it is looked whether another process has put a listing into order. */
const sortedElsewhereMs = 50

type Building = {
  listing: Listing
  row: ListingRow
  source: Source
  /** The next window of the source, where it was read before. */
  window?: ReadWindow | undefined
  /** Then there is more to come, and all of it is put into order at once. */
  baseGrows: boolean
}

/**
 * Takes one step in building a listing in order: looks at one more window of its base, or puts what was
 * found into order, and then into use in place of the one before.
 * @returns true, as what it is built from may have changed meanwhile
 */
export async function buildOrder(
  listingContext: ListingContext,
  building: Building,
): Promise<boolean> {
  const { listing, row, window, baseGrows } = building
  const { id } = row
  const { store, queue, sizes, earlySorts } = listingContext
  const sortUpTo = earlySorts.begin(building)
  const source = sourceUpTo(building.source, sortUpTo)
  const filled = await queue.windowInTurn(id, async (transaction) => {
    const fresh = await lockListing(transaction, id)
    if (fresh?.state !== 'building') return undefined
    if (await isBaseDropped(transaction, source)) {
      await dropListing(transaction, id)
      return { to: 0, count: 0, looked: 0, soughtMs: 0, isFilled: false, isUsed: false }
    }
    const filled = await fillWindow(transaction, listingContext, {
      listing,
      row: fresh,
      source,
      window,
    })
    const { to, count } = filled
    await updateListing(transaction, id, { scanned: to, count })
    const isFilled = to >= source.upTo && (!baseGrows || sortUpTo !== undefined)
    if (!isFilled || count > sizes.sortedInPlace) return { ...filled, isFilled, isUsed: false }
    await extendOrder(transaction, id, OrderBlocks.of([]), { from: 0, to }, sizes)
    await use(transaction, { listing, row, source, to })
    return { ...filled, isFilled, isUsed: true }
  })
  if (filled?.isFilled === true) {
    if (!filled.isUsed) {
      const isSorted = await store.exclusively(`order ${id}`, async () => {
        await sortListing(listingContext, { id, count: filled.count })
        await queue.inTurn((transaction) =>
          use(transaction, { listing, row, source, to: filled.to }),
        )
        return true
      })
      if (isSorted === undefined) await sleep(sortedElsewhereMs)
    }
    listingContext.onDropped()
  }
  return filled !== undefined
}

/** A source as far as a sort reads it that has begun; what came later is added once the order is in use. */
function sourceUpTo(source: Source, upTo = Infinity): Source {
  return source.upTo <= upTo ? source : { ...source, upTo, isFinal: false }
}

async function use(
  transaction: Transaction,
  { listing, row, source, to }: Pick<Building, 'listing' | 'row' | 'source'> & { to: number },
): Promise<void> {
  await lockListing(transaction, row.id)
  const { current, building } = await findListings(transaction, listing.owner)
  if (building?.id !== row.id) return
  if (current !== undefined) await dropListing(transaction, current.id)
  const scanned = source.isFinal ? scannedForGood : to
  await updateListing(transaction, row.id, { state: 'current', scanned, version: 1 })
}

/**
 * Puts all keys of a listing into order, from nothing: written one after another, in their order, they
 * cost a small part of what each would cost where it belongs. Ends early when nobody needs it any more.
 */
async function sortListing(
  { store, queue, sizes, earlySorts }: ListingContext,
  { id: listingId, count }: { id: number; count: number },
): Promise<void> {
  const isWanted = await queue.inTurn(async (transaction) => {
    const row = await findListing(transaction, listingId)
    if (row?.state !== 'building') return false
    await resetOrder(transaction, listingId)
    return true
  })
  if (!isWanted) return
  const { sortedBatch: batch, block } = sizes
  try {
    const early = await earlySorts.take(listingId, count)
    for await (const put of early ?? store.sortKeys(listingId, { batch, block })) {
      if (!(await queue.turn(put))) return
    }
  } finally {
    await earlySorts.drop(listingId)
  }
}
