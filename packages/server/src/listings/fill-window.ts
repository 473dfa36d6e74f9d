import type { Transaction } from 'kysely'
import type { ListingRow } from '../store/listings.ts'
import type { Tables } from '../store/tables.ts'
import type { BaseReach } from './base-reach.ts'
import type { Listing } from '../language/sequence.ts'
import type { ListingContext } from './listing-context.ts'

/** The source of a listing: its base as far as it reaches, up to the last key that counts. */
export type Source = BaseReach & { bound?: Uint8Array | undefined }

/** The items looked at, and the size of the listing after that. */
export type Filled = { from: number; to: number; count: number }

/** Looks at the next window of a base, of the size that has proved right for this listing. */
export async function fillWindow(
  transaction: Transaction<Tables>,
  { fills, queue }: ListingContext,
  { listing, row, source }: { listing: Listing; row: ListingRow; source: Source },
): Promise<Filled> {
  const from = row.scanned
  const to = Math.max(from, Math.min(source.upTo, from + queue.window(row.id).size))
  if (to === from) return { from, to, count: row.count }
  const fill = fills.get(listing, { listingId: row.id, baseListingId: source.listingId })
  const { bound } = source
  const added = await fill(transaction, { from, to, count: row.count, bound })
  return { from, to, count: row.count + added }
}
