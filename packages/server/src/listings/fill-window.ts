import type { Transaction } from 'kysely'
import type { ListingRow } from '../store/listings.ts'
import type { Tables } from '../store/tables.ts'
import type { BaseReach } from './base-reach.ts'
import type { Listing } from '../language/sequence.ts'
import { candidateSpans } from '../search/candidate-spans.ts'
import { neededGrams } from '../search/needed-grams.ts'
import type { ListingContext } from './listing-context.ts'

/** The source of a listing: its base as far as it reaches, up to the last key that counts. */
export type Source = BaseReach & { bound?: Uint8Array | undefined }

/** How far a listing has come, how many items were read for that, after how long a search for them, and its size then. */
export type Filled = { from: number; to: number; looked: number; soughtMs: number; count: number }

/**
 * Looks at the next window of a base, of the size that has proved right for this listing, without the items
 * whose texts are known not to be what is looked for.
 */
export async function fillWindow(
  transaction: Transaction<Tables>,
  { fills, queue }: ListingContext,
  { listing, row, source }: { listing: Listing; row: ListingRow; source: Source },
): Promise<Filled> {
  const from = row.scanned
  if (source.upTo <= from) return { from, to: from, looked: 0, soughtMs: 0, count: row.count }
  const asked = { repoId: listing.repoId, needed: neededGrams(listing) }
  const max = queue.window(row.id).size
  const began = performance.now()
  const { spans, to } = await candidateSpans(transaction, asked, { from, upTo: source.upTo, max })
  const soughtMs = performance.now() - began
  const fill = fills.get(listing, { listingId: row.id, baseListingId: source.listingId })
  const { bound } = source
  let [looked, count] = [0, row.count]
  for (const span of spans) {
    count += await fill(transaction, { ...span, count, bound })
    looked += span.to - span.from
  }
  return { from, to, looked, soughtMs, count }
}
