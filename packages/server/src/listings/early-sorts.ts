import { sql } from 'kysely'
import type { Listing } from '../language/sequence.ts'
import type { ListingRow } from '../store/listings.ts'
import type { KeySort, PutSorted, Store } from '../store/store.ts'
import { listingSql } from './fill-listing.ts'
import type { Source } from './fill-window.ts'
import type { Sizes } from './sizes.ts'

/** Milliseconds after which a sort ends that no window of its listing has asked for: others are wanted now. */
const idleMs = 2000

/** Others are sorted once their keys are written. */
const threadsMax = 1

type EarlySort = { sort: KeySort; upTo: number; timer: NodeJS.Timeout }

type Building = { listing: Listing; row: ListingRow; source: Source; baseGrows: boolean }

/**
 * Sorts of orders that begin with the first window of a large base, in a thread, from the same rows as the windows
 * write keys of: both take about as long, and one after the other twice as long (docs/decisions/views.md).
 */
export class EarlySorts {
  readonly #store: Store
  readonly #sizes: Sizes
  readonly #sorts = new Map<number, EarlySort>()
  /** Threads that have not ended: what SQLite has begun to sort it sorts to its end. */
  #threads = 0

  constructor(store: Store, sizes: Sizes) {
    this.#store = store
    this.#sizes = sizes
  }

  /**
   * Begins a sort with the first window of a listing, where it is worth it, and is told of each further one.
   * @returns the position that the sort reads up to; undefined where there is none
   */
  begin(building: Building): number | undefined {
    const known = this.#sorts.get(building.row.id)
    if (known === undefined) return this.#open(building)
    known.timer.refresh()
    return known.upTo
  }

  #open({ listing, row: { id, scanned }, source, baseGrows }: Building): number | undefined {
    const { clauses, kind } = listing
    // A filter may leave little to be sorted, and takes its time a second time.
    const isWhole = kind === 'order' && clauses.where.length === 0 && clauses.split === undefined
    const { sortedEarly, sortedBatch: batch, block } = this.#sizes
    if (!isWhole || baseGrows || scanned > 0 || source.upTo < sortedEarly) return undefined
    if (this.#threads >= threadsMax) return undefined
    const { root, sortKey, rows } = listingSql(listing, source.listingId)
    const { upTo, bound = null } = source
    const window = { from: sql.lit(0), to: sql.lit(upTo), bound: sql`${bound}` }
    const keys = sql`select ${sortKey} as key, ${root} as root ${rows(window)}`
    const sort = this.#store.beginSort?.(id, keys, { batch, block })
    if (sort === undefined) return undefined
    this.#threads += 1
    const timer = setTimeout(() => void this.drop(id), idleMs).unref()
    this.#sorts.set(id, { sort, upTo, timer })
    return upTo
  }

  /**
   * Takes the sort of a listing whose keys are all written, as long as it has found as many.
   * @returns undefined where they have to be sorted
   */
  async take(listingId: number, count: number): Promise<AsyncIterable<PutSorted> | undefined> {
    const early = this.#sorts.get(listingId)
    if (early === undefined) return undefined
    clearTimeout(early.timer)
    // Its base may have been removed meanwhile.
    const sorted = await early.sort.count.catch(() => undefined)
    return sorted === count ? early.sort.puts() : undefined
  }

  async drop(listingId: number): Promise<void> {
    const early = this.#sorts.get(listingId)
    if (early === undefined) return
    this.#sorts.delete(listingId)
    clearTimeout(early.timer)
    await early.sort[Symbol.asyncDispose]()
    this.#threads -= 1
  }

  /** Ends all sorts. */
  async close(): Promise<void> {
    await Promise.all([...this.#sorts.keys()].map((listingId) => this.drop(listingId)))
  }
}
