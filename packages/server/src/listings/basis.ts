import { scannedForGood, type ListingRow } from '../store/listings.ts'
import type { Excerpt, StateListing } from '../language/sequence.ts'
import { buildOrder } from './build-order.ts'
import type { ListingContext } from './listing-context.ts'

/** The source of an excerpt or a state: a listing up to a key, as far as it had been filled. */
export type Basis = {
  listingId: number
  /** Positions of the repository below this count. */
  upTo: number
  /** Positions of that listing's repository that it has scanned. */
  scanned: number
  /** In hex; null when all keys count. */
  bound: string | null
  /** Items up to there, where all count or the bound is of current items; null otherwise. */
  count: number | null
}

/** Takes one step in building a listing from what its row says that it is made of. */
export function buildFromBasis(
  listingContext: ListingContext,
  listing: Excerpt | StateListing,
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

export function parseBasis({ basis }: ListingRow): Basis {
  return JSON.parse(basis!) as Basis
}
