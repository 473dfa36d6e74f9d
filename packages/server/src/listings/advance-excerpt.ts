import {
  createListing,
  findListings,
  readHead,
  scannedForGood,
  updateListing,
  type ListingRow,
} from '../store/listings.ts'
import { buildOrder } from './build-order.ts'
import type { Excerpt, OrderedSequence } from '../language/sequence.ts'
import type { ListingContext } from './listing-context.ts'

/** The source of an excerpt: a listing up to a key, as far as it had been filled. */
type Basis = {
  listingId: number
  /** Positions of the repository below this count. */
  upTo: number
  /** Of that listing. */
  scanned: number
  /** In hex; null when all keys count. */
  bound: string | null
  /** Of the listing, where all of it counts. */
  count: number | null
}

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
  if (building !== undefined) return continueBuilding(listingContext, listing, building)

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

function continueBuilding(
  listingContext: ListingContext,
  listing: Excerpt,
  row: ListingRow,
): Promise<boolean> {
  const { listingId, upTo, scanned, bound } = parseBasis(row)
  const source = {
    listingId,
    upTo,
    isFinal: scanned === scannedForGood,
    bound: bound === null ? undefined : Buffer.from(bound, 'hex'),
  }
  return buildOrder(listingContext, { listing, row, source, baseGrows: false })
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
  const upTo = scanned === scannedForGood ? await readHead(reads, base.repoId) : scanned
  const key = cursor.bound === undefined ? null : Buffer.from(cursor.bound).toString('hex')
  return { listingId: id, upTo, scanned, bound: key, count: key === null ? count : null }
}

function parseBasis({ basis }: ListingRow): Basis {
  return JSON.parse(basis!) as Basis
}

/**
 * Whether two bases have the same items. Under a bound they do when the bound is the same: an item that
 * came in below it would have moved it.
 */
function isSame(a: Basis, b: Basis): boolean {
  return a.listingId === b.listingId && a.bound === b.bound && a.count === b.count
}
