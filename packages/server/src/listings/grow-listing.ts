import {
  createListing,
  findListings,
  lockListing,
  scannedForGood,
  updateListing,
  type ListingRow,
} from '../store/listings.ts'
import { isBaseDropped, readBaseReach } from './base-reach.ts'
import { TooMuchText } from '../store/text-budget.ts'
import { buildOrder } from './build-order.ts'
import { extendOrder } from './extend-order.ts'
import { fillWindow, readWindow, type ReadWindow, type Source } from './fill-window.ts'
import type { OrderBlocks } from './order-blocks.ts'
import type { Listing } from '../language/sequence.ts'
import type { ListingContext } from './listing-context.ts'

/**
 * Takes one step in bringing a listing that only grows to where its base is. `baseGrows` says that the
 * base is being brought further itself.
 * @returns whether there is more to do; false also when the dataset was deleted
 */
export async function growListing(
  listingContext: ListingContext,
  listing: Listing,
  { baseGrows }: { baseGrows: boolean },
): Promise<boolean> {
  const { store } = listingContext
  const source = await readBaseReach(store.reads, listing.base)
  if (source === undefined) return false
  const { current, building } = await findListings(store.reads, listing.owner)
  const row = building ?? current ?? (await begin(listingContext, listing))
  if (row === undefined) return false
  const growing = { listing, row, source }
  const grow = async (window?: ReadWindow) => {
    if (row.state !== 'current') {
      return buildOrder(listingContext, { ...growing, window, baseGrows })
    }
    return isBehind(row, source) && extendListing(listingContext, { ...growing, window })
  }
  try {
    return await grow()
  } catch (error) {
    if (!(error instanceof TooMuchText)) throw error
    return grow(await readWindow(listingContext, growing))
  }
}

/** Members can be read from the first one on, an order once it is there. */
function begin({ queue }: ListingContext, { owner, kind }: Listing) {
  const state = kind === 'members' ? 'current' : 'building'
  const tables = kind === 'members' ? 'members' : 'order'
  return queue.inTurn((transaction) =>
    createListing(transaction, owner, { kind: tables, state, basis: null }),
  )
}

function isBehind({ scanned }: ListingRow, { upTo, isFinal }: Source): boolean {
  return scanned !== scannedForGood && (scanned < upTo || isFinal)
}

async function extendListing(
  listingContext: ListingContext,
  {
    listing,
    row: { id },
    source,
    window,
  }: { listing: Listing; row: ListingRow; source: Source; window: ReadWindow | undefined },
): Promise<boolean> {
  const { queue, indexes, sizes } = listingContext
  const extended = await queue.windowInTurn(id, async (transaction) => {
    const row = await lockListing(transaction, id)
    if (row?.state !== 'current' || !isBehind(row, source)) return undefined
    if (await isBaseDropped(transaction, source)) return undefined
    const { from, to, looked, soughtMs, count } = await fillWindow(transaction, listingContext, {
      listing,
      row,
      source,
      window,
    })
    const hasGrown = count > row.count
    let blocks: OrderBlocks | undefined
    if (listing.kind !== 'members' && hasGrown) {
      const before = await indexes.get(id).blocks(transaction, row.version)
      // Nothing else changes the listing within this transaction.
      blocks = await extendOrder(transaction, id, before!, { from, to }, sizes)
    }
    const isDone = count >= listing.limit || (source.isFinal && to >= source.upTo)
    const version = row.version + Number(hasGrown)
    const scanned = isDone ? scannedForGood : to
    await updateListing(transaction, id, { scanned, count, version })
    return { looked, soughtMs, blocks, version, hasMore: !isDone && to < source.upTo }
  })
  if (extended?.blocks !== undefined) indexes.get(id).keep(extended.version, extended.blocks)
  return extended?.hasMore ?? false
}
