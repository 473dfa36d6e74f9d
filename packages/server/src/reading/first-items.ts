import type { Item, ItemNeighbours, ScanProgress } from '@vitrine/contract'
import { sql } from 'kysely'
import { fail } from '../failure.ts'
import { cutTexts, type Shown } from '../language/shown-fields.ts'
import { type Listing, type PlainSequence, sequenceEnd } from '../language/sequence.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import { listingSql } from '../listings/fill-listing.ts'
import type { Gaps } from '../listings/gaps.ts'
import { isCaughtUp } from '../listings/listing-progress.ts'
import type { Span } from '../search-index/candidate-spans.ts'
import { neededGrams } from '../search-index/needed-grams.ts'
import { readHead } from '../store/listings.ts'
import { findIdsAt, findPosition } from './item-position.ts'
import { readItemsAt } from './plain-reads.ts'
import type { ReadContext } from './read-context.ts'
import { finalResult, neighbours, type Page, type ReadResult } from './read-result.ts'
import { Scan } from './scan.ts'

/** Items up to which they are counted by a scan: those of a first page. */
const countedMax = 100

/** Items at the beginning of an order that a scan finds, and bytes of their sort keys that it keeps in memory. */
const topMax = 100
const topKeyBytes = 64 * 1024

type Window = { from: number; to: number; limit: number; at: number }
type Row = [position: number, key?: Uint8Array]
type Select = (batch: readonly Window[], limit: number) => Promise<Row[]>

/** A scan as far as it came. */
type ScanState = {
  /** Positions in the repository of items that pass, in order; of a sorted exploration the first of those scanned. */
  positions: readonly number[]
  /** Items of the repository that were scanned, and that there are. */
  scanned: number
  head: number
}

/**
 * The first items of an exploration by a scan of its base, which ends as soon as there are enough, or at its end where
 * they are sorted: nothing is written for them. How far it came is kept in memory, and the next read goes on from
 * there.
 */
export class FirstItems {
  readonly #context: ReadContext
  readonly #sequence: PlainSequence
  readonly #listing: Listing
  readonly #stored: Listing
  readonly #isSorted: boolean
  readonly #show: () => Shown
  readonly #scan: Scan
  #select: { run: Select; baseListingId: number | undefined } | undefined
  #positions: number[] = []
  /** Sort keys of those at the positions. */
  #keys: Uint8Array[] = []
  #scanned = 0
  /** Items of the repository as the last read of current items saw it. */
  #head = 0
  #step: Promise<void> | undefined
  #isInBackground = false

  constructor(
    context: ReadContext,
    {
      sequence,
      listing,
      stored,
    }: {
      /** The items that are looked through, as they stand in the repository. */
      sequence: PlainSequence
      /** Filter and order. */
      listing: Listing
      /** Listing that is read instead once it is there, and for which work goes on. */
      stored: Listing
    },
    show: () => Shown,
  ) {
    this.#context = context
    this.#sequence = sequence
    this.#listing = listing
    this.#stored = stored
    this.#isSorted = listing.clauses.order.length > 0
    this.#show = show
    this.#scan = new Scan(context.store, {
      repoId: sequence.repoId,
      needed: neededGrams(listing),
      bytesMax: listing.definitions.textBytesMax(),
    })
  }

  /**
   * Reads a page; undefined where that takes a listing: a later page, unless the scan came to the end, or sorts and finds
   * as many.
   */
  async page(
    { page, pageSize, cut }: Page,
    options: ReadOptions = {},
  ): Promise<ReadResult<Item[]> | undefined> {
    const [from, to] = [page * pageSize, (page + 1) * pageSize]
    if (this.#isSorted && to > topMax) return undefined
    const scanned = await this.#reach(page === 0 || this.#isSorted ? pageSize : 0, options)
    if (scanned === undefined) return undefined
    if (page > 0 && !this.#isSorted && !isWhole(scanned)) return undefined
    const { repoId } = this.#sequence
    const shown = cut === undefined ? this.#show() : cutTexts(this.#show(), cut)
    const isUnsure = this.#isSorted && !isWhole(scanned)
    const positions = isUnsure ? [] : scanned.positions.slice(from, to)
    const items = await readItemsAt(this.#context.store.prepare, { repoId, shown }, positions)
    const isFinal = !this.#isSorted && positions.length === pageSize
    return isFinal ? finalResult(items, true) : resultOf(items, scanned)
  }

  /** Counts; undefined where that takes a listing, as there are more than a first page has. */
  async count(options: ReadOptions = {}): Promise<ReadResult<number> | undefined> {
    const scanned = await this.#reach(countedMax, options)
    if (scanned === undefined) return undefined
    const { length } = scanned.positions
    return length >= countedMax && !isWhole(scanned) ? undefined : resultOf(length, scanned)
  }

  /** Finds the items beside one that is among the first; undefined where that takes a listing. */
  async neighbours(itemId: number, options: ReadOptions = {}): Promise<ItemNeighbours | undefined> {
    const { reads } = this.#context.store
    const { repoId } = this.#sequence
    // Of a sorted page that was shown, with what came later.
    const wanted = this.#isSorted && this.#scanned > 0 ? 1 : 0
    const scanned = await this.#reach(wanted, options)
    if (scanned === undefined || !isWhole(scanned)) return undefined
    const position = await findPosition(reads, repoId, itemId)
    const { positions } = scanned
    const at = position === undefined ? -1 : positions.indexOf(position)
    const isCut = this.#isSorted && positions.length >= topMax
    if (at < 0 || (isCut && at === positions.length - 1)) return undefined
    const beside = [positions[at - 1], positions[at + 1]]
    const ids = await findIdsAt(
      reads,
      repoId,
      beside.filter((each) => each !== undefined),
    )
    const [previous, next] = beside.map((each) => (each === undefined ? each : ids.get(each)))
    return neighbours(previous, next)
  }

  /**
   * Scans until there are `wanted` items, or to the head of the repository; undefined where that is not for a scan, as
   * there is a listing, or its base is a view that is not caught up.
   * @throws Failure VIEW_NOT_READY
   */
  async #reach(wanted: number, options: ReadOptions): Promise<ScanState | undefined> {
    const { store, catchUp } = this.#context
    const { repoId, before, isCurrent } = this.#sequence
    let head = Math.min(await readHead(store.reads, repoId), before)
    let gaps: Gaps | undefined
    if (isCurrent) {
      head = Math.max(head, this.#head)
      this.#head = head
      const within = { at: this.#stateAt(head), end: sequenceEnd(this.#sequence) }
      gaps = await this.#context.superseded.inRepo(repoId, within)
    }
    const scanned = (): ScanState => {
      return { positions: this.#without(gaps), scanned: this.#scanned, head }
    }
    // Any item may be the first until all have been looked at.
    const enough = this.#isSorted && wanted > 0 ? Infinity : wanted
    const isDone = () => {
      const state = scanned()
      return state.positions.length >= enough || isWhole(state)
    }
    // What others have looked at since then may leave out what held then.
    const isLate = () => isCurrent && this.#head > head
    if (isDone()) return isLate() ? this.#reach(wanted, options) : scanned()
    const select = await this.#selectFor(head)
    if (select === undefined) return undefined
    const scan = () => {
      const missing = Math.max(1, wanted - scanned().positions.length)
      // Of those that pass many may have been superseded.
      const limit = isCurrent ? Math.max(missing, this.#positions.length) : missing
      return (this.#step ??= this.#scanNext(select, { limit, upTo: head }))
    }
    using wait = catchUp.beginWait(this.#stored, options)
    do await wait.for(scan())
    while (!isDone() && !wait.isOver)
    if (isDone()) return isLate() ? this.#reach(wanted, options) : scanned()
    if (options.partial !== true) throw fail('VIEW_NOT_READY', { progress: progressOf(scanned()) })
    if (!this.#isInBackground) void this.#scanInBackground(scan, isDone)
    return scanned()
  }

  /** Returns the state of the repository in which items hold, once it has so many. */
  #stateAt(head: number): number {
    return Math.min(head, sequenceEnd(this.#sequence))
  }

  /** The positions that were found, without those of items that do not hold any more. */
  #without(gaps: Gaps | undefined): readonly number[] {
    if (gaps === undefined) return this.#positions
    const positions = this.#positions.filter((position) => !gaps.has(position))
    // One that was among the first of an order has kept another one out.
    const isCut = this.#isSorted && this.#positions.length >= topMax
    if (isCut && positions.length < topMax) this.#scanned = 0
    return positions
  }

  async #scanInBackground(scan: () => Promise<void>, isDone: () => boolean): Promise<void> {
    this.#isInBackground = true
    try {
      while (!isDone() && this.#context.catchUp.isWanted(this.#stored)) await scan()
    } catch {
      // The next read meets it, and answers with it.
    } finally {
      this.#isInBackground = false
    }
  }

  async #selectFor(head: number): Promise<Select | undefined> {
    const { store, catchUp } = this.#context
    const { base } = this.#listing
    const stored = { cachedOnly: true }
    if ((await catchUp.reach(this.#stored, stored)).current !== undefined) return undefined
    const progress = base.listing && (await catchUp.reach(base.listing, stored))
    if (progress !== undefined && !isCaughtUp(progress, head)) return undefined
    const baseListingId = progress?.current?.id
    if (this.#select === undefined || this.#select.baseListingId !== baseListingId) {
      const { root, rows, firstRows } = listingSql(this.#listing, baseListingId)
      const run: Select = store.prepareBatchInWorker((slot) => {
        const window = { from: slot('from'), to: slot('to') }
        const currentAt = this.#sequence.isCurrent ? slot('at') : undefined
        return this.#isSorted
          ? firstRows({ ...window, currentAt }, topMax)
          : sql`
              select ${root} ${rows({ ...window, bound: sql`null` })}
              order by ${root} limit ${slot('limit')}`
      })
      this.#select = { run, baseListingId }
    }
    return this.#select.run
  }

  async #scanNext(select: Select, { limit, upTo }: { limit: number; upTo: number }): Promise<void> {
    try {
      if (this.#isSorted) return await this.#scanSorted(select, upTo)
      const { rows, to } = await this.#scan.next({ from: this.#scanned, upTo }, (spans) =>
        select(
          spans.map((span) => ({ ...span, limit, at: this.#stateAt(upTo) })),
          limit,
        ),
      )
      const next = rows.slice(0, limit).map(([position]) => position)
      this.#positions.push(...next)
      this.#scanned = rows.length < limit ? to : next.at(-1)! + 1
    } finally {
      this.#step = undefined
    }
  }

  /** Scans the next window for items that come before some of those found so far. */
  async #scanSorted(select: Select, upTo: number): Promise<void> {
    if (this.#keys.length < this.#positions.length) this.#scanned = 0
    if (this.#scanned === 0) [this.#positions, this.#keys] = [[], []]
    const { rows, to } = await this.#scan.next({ from: this.#scanned, upTo }, (spans) =>
      select(
        spans
          .flatMap((span) => cut(span, this.#context.store.concurrentReads))
          .map((span) => ({ ...span, limit: topMax, at: this.#stateAt(upTo) })),
        Infinity,
      ),
    )
    const known = this.#positions.map((position, index): Row => [position, this.#keys[index]!])
    const first = [...known, ...rows]
      .toSorted(([, a], [, b]) => Buffer.compare(a!, b!))
      .slice(0, topMax)
    this.#positions = first.map(([position]) => position)
    this.#keys = first.map(([, key]) => key!)
    this.#scanned = to
    const keyBytes = this.#keys.reduce((sum, key) => sum + key.length, 0)
    if (to >= upTo && keyBytes > topKeyBytes) this.#keys = []
  }
}

/** Cuts a span into parts of about the same size. */
function cut({ from, to }: Span, parts: number): Span[] {
  const size = Math.ceil((to - from) / parts)
  const spans = Array.from({ length: parts }, (_, part) => {
    const start = from + part * size
    return { from: start, to: Math.min(start + size, to) }
  })
  return spans.filter((span) => span.from < span.to)
}

function isWhole({ scanned, head }: ScanState): boolean {
  return scanned >= head
}

function progressOf({ scanned, head }: ScanState): ScanProgress {
  return { scanned, total: head }
}

function resultOf<T>(value: T, scanned: ScanState): ReadResult<T> {
  return isWhole(scanned) ? { value } : { value, progress: progressOf(scanned) }
}
