import {
  lockListing,
  findListings,
  readHead,
  scannedForGood,
  type ListingRow,
} from '../store/listings.ts'
import type { Db, Transaction } from '../store/store.ts'
import { type Sequence, sequenceEnd } from '../language/sequence.ts'

/** How far a base can be read from. */
export type BaseReach = {
  listingId: number | undefined
  /** Positions of the repository below this are known to be in the base or not. */
  upTo: number
  /** Nothing beyond `upTo` will ever be in the base. */
  isFinal: boolean
}

/** Undefined when the base keeps a listing that was not begun, as its view was deleted. */
export async function readBaseReach(db: Db, base: Sequence): Promise<BaseReach | undefined> {
  const limit = base.kind === 'plain' ? base.limit : Infinity
  const { listing, repoId } = base
  const before = sequenceEnd(base)
  if (listing === undefined) {
    const head = await readHead(db, repoId)
    const end = Math.min(limit, before)
    return { listingId: undefined, upTo: Math.min(head, end), isFinal: head >= end }
  }
  const { current, building } = await findListings(db, listing.owner)
  const row = current ?? building
  if (row === undefined) return undefined
  const isFinal = row.scanned >= Math.min(scannedForGood, before) || row.count >= limit
  const reached = await readReached(db, repoId, row)
  return { listingId: row.id, upTo: Math.min(reached, before), isFinal }
}

/** How many items of its repository a listing has looked at. */
export async function readReached(
  db: Db,
  repoId: number,
  { scanned }: Pick<ListingRow, 'scanned'>,
): Promise<number> {
  return scanned === scannedForGood ? readHead(db, repoId) : scanned
}

/**
 * Whether a base is being removed, and must not be read: an excerpt was replaced, an exploration is not
 * asked for any more. One that is not stays as it is until this transaction is over.
 */
export async function isBaseDropped(
  transaction: Transaction,
  { listingId }: BaseReach,
): Promise<boolean> {
  if (listingId === undefined) return false
  const base = await lockListing(transaction, listingId, 'share')
  return base === undefined || base.state === 'dropped'
}
