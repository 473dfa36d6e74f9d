import { createListing, findListings, updateListing } from '../store/listings.ts'
import { buildFromBasis, parseBasis, type Basis } from './basis.ts'
import { readReached } from './base-reach.ts'
import { type Excerpt, type OrderedSequence, sequenceEnd } from '../language/sequence.ts'
import type { ListingContext } from './listing-context.ts'

/**
 * Takes one step in bringing an excerpt to where its base is. The first N of an order change when an
 * item comes in among them; the excerpt is then made again beside the one in use.
 * @returns whether there is more to do; false also when the dataset was deleted
 */
export async function advanceExcerpt(
  listingContext: ListingContext,
  listing: Excerpt,
  { baseGrows }: { baseGrows: boolean },
): Promise<boolean> {
  if (baseGrows) return true
  const { store, queue } = listingContext
  const { current, building } = await findListings(store.reads, listing.owner)
  if (building !== undefined) return buildFromBasis(listingContext, listing, building)

  const basis = await readBasis(listingContext, listing.base)
  if (basis === undefined) return false
  if (basis === 'moving') return true
  if (current === undefined || !isSame(parseBasis(current), basis)) {
    const begun = await queue.inTurn((transaction) =>
      createListing(transaction, listing.owner, {
        kind: 'order',
        state: 'building',
        basis: JSON.stringify(basis),
      }),
    )
    return begun !== undefined
  }
  const { id } = current
  if (current.scanned < basis.scanned) {
    await queue.inTurn((transaction) => updateListing(transaction, id, { scanned: basis.scanned }))
  }
  return false
}

/** `moving` when the base is not at rest, so that its last key says nothing yet. */
async function readBasis(
  listingContext: ListingContext,
  base: OrderedSequence,
): Promise<Basis | 'moving' | undefined> {
  const cursor = await listingContext.cursorsOf(base).look()
  if (cursor === undefined || cursor === 'moving') return cursor
  if (!cursor.isAtRest) return 'moving'
  const { id, scanned, count } = cursor.row
  const { reads } = listingContext.store
  const upTo = Math.min(await readReached(reads, base.repoId, cursor.row), sequenceEnd(base))
  const key = cursor.bound === undefined ? null : Buffer.from(cursor.bound).toString('hex')
  // One that falls out of the first current items, for another one that comes in, moves no bound.
  const isCounted = key === null || base.bounds.some(({ isCurrent }) => isCurrent)
  return { listingId: id, upTo, scanned, bound: key, count: isCounted ? count : null }
}

/**
 * Whether two bases have the same items. Under a bound they do when the bound is the same: an item that
 * came in below it would have moved it, where it counts all items.
 */
function isSame(a: Basis, b: Basis): boolean {
  return a.listingId === b.listingId && a.bound === b.bound && a.count === b.count
}
