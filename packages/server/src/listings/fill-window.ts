import type { ListingRow } from '../store/listings.ts'
import type { BaseReach } from './base-reach.ts'
import type { Listing } from '../language/sequence.ts'
import { candidateSpans } from '../search-index/candidate-spans.ts'
import { neededGrams } from '../search-index/needed-grams.ts'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import type { Fill } from './fill-listing.ts'
import type { ListingContext } from './listing-context.ts'
import type { Transaction } from '../store/store.ts'

/** The source of a listing: its base as far as it reaches, up to the last key that counts. */
export type Source = BaseReach & { bound?: Uint8Array | undefined }

type Filling = { listing: Listing; row: ListingRow; source: Source }

/** How far a listing has come, how many items were read for that, after how long a search for them, and its size then. */
export type Filled = { from: number; to: number; looked: number; soughtMs: number; count: number }

/** Rows of a window of the base, read before it is written. */
export type ReadWindow = { from: number; to: number; rows: Awaited<ReturnType<Fill['read']>> }

/**
 * Looks at the next window of a base, of the size that has proved right for this listing, without the items
 * whose texts are known not to be what is looked for; or takes the window that was read before.
 * @throws TooMuchText where it is to be read before
 */
export async function fillWindow(
  transaction: Transaction,
  { fills, queue }: ListingContext,
  { listing, row, source, window }: Filling & { window: ReadWindow | undefined },
): Promise<Filled> {
  const from = row.scanned
  if (source.upTo <= from) return { from, to: from, looked: 0, soughtMs: 0, count: row.count }
  const fill = fills.get(listing, { listingId: row.id, baseListingId: source.listingId })
  if (window?.from === from) {
    const { to, rows } = window
    await fill.add(transaction, rows, row.count)
    return { from, to, looked: 0, soughtMs: 0, count: row.count + rows.length }
  }
  const query = { repoId: listing.repoId, needed: neededGrams(listing) }
  const max = queue.window(row.id, listing.definitions.textBytesMax()).size
  const began = performance.now()
  const { spans, to } = await candidateSpans(transaction, query, { from, upTo: source.upTo, max })
  const soughtMs = performance.now() - began
  const { bound } = source
  let [looked, count] = [0, row.count]
  for (const span of spans) {
    count += await fill.window(transaction, { ...span, count, bound })
    looked += span.to - span.from
  }
  return { from, to, looked, soughtMs, count }
}

/** Items that are read at once, and how long others may wait for the worker. */
const readAtOnce = { size: 16, targetMs: 50 }
/** Milliseconds after which what was read is written. */
const readMs = 500

/** Reads the next window of a base in a worker, as much of it as there is time for. */
export async function readWindow(
  { store, fills, queue }: ListingContext,
  { listing, row, source }: Filling,
): Promise<ReadWindow> {
  const { scanned: from } = row
  const query = { repoId: listing.repoId, needed: neededGrams(listing) }
  const max = queue.window(row.id, listing.definitions.textBytesMax()).size
  const { spans, to } = await candidateSpans(store.reads, query, { from, upTo: source.upTo, max })
  const fill = fills.get(listing, { listingId: row.id, baseListingId: source.listingId })
  const { bound } = source
  const window = new AdaptiveWindow(readAtOnce)
  const rows: ReadWindow['rows'] = []
  const began = performance.now()
  for (const span of spans) {
    for (let at = span.from; at < span.to;) {
      const end = Math.min(span.to, at + window.size)
      const stepBegan = performance.now()
      for (const row of await fill.read({ from: at, to: end, bound })) rows.push(row)
      window.took(performance.now() - stepBegan, end - at)
      at = end
      if (performance.now() - began > readMs) return { from, to: at, rows }
    }
  }
  return { from, to, rows }
}
