import type { DatasetGrowth, Item, ItemNeighbours, SealedItem } from '@vitrine/contract'
import { LruCache } from '../runtime/lru-cache.ts'
import type { ListingRow } from '../store/listings.ts'
import {
  readResult,
  type ReadResult,
  type ItemReader,
  type Members,
  type Page,
  type ShownPart,
} from './read-result.ts'
import { notReady } from '../listings/listing-progress.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import { findPosition, hasSeen } from './item-position.ts'
import { prepareOrderedReads, type OrderedReads } from './ordered-reads.ts'
import type { ReadContext } from './read-context.ts'
import type { OrderedSequence } from '../language/sequence.ts'
import { cutTexts, type Shown } from '../language/shown-fields.ts'
import { OrderCursors, type OrderCursor } from '../listings/order-cursor.ts'
import { orderedSnapshot } from './snapshot-reads.ts'
import type { StateSnapshot } from './snapshot.ts'
import { readReached } from '../listings/base-reach.ts'
import { isCaughtUp, type ListingProgress } from '../listings/listing-progress.ts'

/** How often a read looks again while what it needs changes under it. */
const looksMax = 50

/** Limit up to which `addedAt` of an order with bounds is computed. */
const newestMax = 1000

/** Reads an ordered sequence: pages are runs of keys, found by adding up the counts of blocks. */
export class OrderedReader implements ItemReader {
  readonly #context: ReadContext
  readonly #sequence: OrderedSequence
  readonly #show: (only?: string) => Shown
  readonly #cursors: OrderCursors
  readonly #unordered: ItemReader | undefined
  readonly #reads = new LruCache<string, OrderedReads>(8)

  constructor(
    context: ReadContext,
    sequence: OrderedSequence,
    {
      show,
      unordered,
    }: {
      show: (only?: string) => Shown
      /** A sequence that has as many items and is counted without their order. */
      unordered: ItemReader | undefined
    },
  ) {
    this.#context = context
    this.#sequence = sequence
    this.#show = show
    this.#unordered = unordered
    this.#cursors = new OrderCursors(context, sequence)
  }

  page({ page, pageSize, cut }: Page, options?: ReadOptions): Promise<ReadResult<Item[]>> {
    const from = page * pageSize
    return this.#read(
      options,
      [],
      async ({ row, count, current }) => {
        const wanted = Math.min(pageSize, count - from)
        if (wanted <= 0) return []
        const { store, indexes } = this.#context
        const { id, version } = row
        const all = await indexes.get(id).blocks(store.reads, version)
        const blocks = all && (current?.superseded.outOf(all) ?? all)
        const run = { count: wanted, version, at: stateAt(current) }
        return blocks && this.#readsOf(row, { cut }).run({ ...blocks.atRank(from), ...run })
      },
      async (row, count) => {
        const wanted = Math.min(pageSize, count - from)
        const part = { offset: from, count: wanted, at: row.scanned }
        return wanted <= 0 ? [] : this.#readsOf(row, { cut }).unsorted(part)
      },
    )
  }

  count(options?: ReadOptions, upTo?: number): Promise<ReadResult<number>> {
    if (this.#unordered !== undefined) return this.#unordered.count(options, upTo)
    return this.#read(
      options,
      0,
      async ({ count }) => count,
      async (_row, count) => count,
    )
  }

  async addedAt(options?: ReadOptions): Promise<number | undefined> {
    const same = this.#ofSameItems()
    if (same !== undefined) return same.addedAt(options)
    const { cursor } = await this.#reach(options)
    if (cursor === undefined) return undefined
    const { row, bound, count, current } = cursor
    const at = stateAt(current)
    if (bound === undefined) return this.#readsOf(row).newest({ at })
    return count > newestMax ? undefined : this.#readsOf(row).newestUpTo({ bound, at })
  }

  async growth(options?: ReadOptions): Promise<ReadResult<DatasetGrowth>> {
    return (await this.#ofSameItems()?.growth(options)) ?? { value: { points: [] } }
  }

  async get(
    itemId: number,
    options?: ReadOptions,
    cut?: number,
  ): Promise<ReadResult<SealedItem | undefined>> {
    return { value: await this.#get(itemId, { options, cut }) }
  }

  async neighbours(itemId: number, options?: ReadOptions): Promise<ItemNeighbours | undefined> {
    for (;;) {
      const { cursor } = await this.#reach(options)
      if (cursor === undefined) return undefined
      const { row, bound, current } = cursor
      const place = await this.#keyIn(cursor, itemId)
      if (place === undefined) return undefined
      const { version } = row
      const at = stateAt(current)
      const beside = await this.#readsOf(row).beside({ key: place.key, version, bound, at })
      if (beside !== undefined) return beside
    }
  }

  getField(
    fieldName: string,
    itemId: number,
    options?: ReadOptions,
  ): Promise<SealedItem | undefined> {
    return this.#get(itemId, { only: fieldName, options })
  }

  async has(itemId: number): Promise<boolean> {
    return (await this.#find(itemId)) !== undefined
  }

  async snapshot(from: number, options?: ReadOptions): Promise<StateSnapshot> {
    const { store, indexes } = this.#context
    const { repoId } = this.#sequence
    for (;;) {
      const cursor = (await this.#reach(options)).cursor!
      const { row, bound, count, current } = cursor
      const blocks = await indexes.get(row.id).blocks(store.reads, row.version)
      if (blocks === undefined) continue
      // Ranks change while the listing grows, keys do not.
      const keyBefore =
        from === 0 || from > count
          ? new Uint8Array()
          : await indexes.get(row.id).keyAt(blocks, from - 1, current)
      const after = await this.#look()
      if (keyBefore === undefined || after === undefined) continue
      if (after.row.id !== row.id || after.row.version !== row.version) continue
      const listed = { repoId, listingId: row.id, head: row.scanned }
      const source = { ...listed, bound, count, keyBefore, current }
      const at = await readReached(store.reads, repoId, row)
      return { ...orderedSnapshot(store, source, this.#show(), from), at }
    }
  }

  async members(options?: ReadOptions): Promise<Members> {
    const same = this.#ofSameItems()
    if (same !== undefined) return same.members(options)
    const { row, bound, current } = (await this.#reach(options)).cursor!
    const listed = { listingId: row.id, head: row.scanned, bound }
    return { kind: 'ordered', ...listed, currentAt: current?.at }
  }

  /** Returns a reader of the same items in commit order. */
  #ofSameItems(): ItemReader | undefined {
    const { listing, bounds } = this.#sequence
    const isCut =
      bounds.length > 0 ||
      listing.kind === 'excerpt' ||
      (listing.kind === 'state' && listing.base.bounds.length > 0)
    return isCut ? undefined : this.#unordered
  }

  async #get(
    itemId: number,
    { options, ...part }: ShownPart & { options?: ReadOptions | undefined },
  ): Promise<SealedItem | undefined> {
    const { store, catchUp } = this.#context
    const { repoId, listing, bounds, isCurrent } = this.#sequence
    // Otherwise what comes in at one place of the order makes others fall out.
    const onlyGrows = bounds.length === 0 && listing.kind !== 'excerpt' && !isCurrent
    if (onlyGrows) {
      const place = await this.#find(itemId, part)
      if (place !== undefined) return place
    }
    const position = await findPosition(store.reads, repoId, itemId)
    if (position === undefined) return undefined
    if (onlyGrows) await catchUp.reach(listing, options, hasSeen(position))
    const cursor = onlyGrows ? await this.#look() : (await this.#reach(options)).cursor
    return this.#findIn(cursor, itemId, part)
  }

  async #find(itemId: number, part?: ShownPart): Promise<SealedItem | undefined> {
    return this.#findIn(await this.#look(), itemId, part)
  }

  async #findIn(
    cursor: OrderCursor | undefined,
    itemId: number,
    part?: ShownPart,
  ): Promise<SealedItem | undefined> {
    return cursor && (await this.#keyIn(cursor, itemId, part))?.item
  }

  /** An item that the bounds let in, with its key. */
  async #keyIn({ row, bound, current }: OrderCursor, itemId: number, part?: ShownPart) {
    const item = await this.#readsOf(row, part).get({ itemId, at: stateAt(current) })
    if (item === undefined) return undefined
    const isIn = bound === undefined || Buffer.compare(item.key, bound) <= 0
    return isIn ? item : undefined
  }

  /** Undefined while the listings are not in use. */
  async #look(): Promise<OrderCursor | undefined> {
    for (;;) {
      const cursor = await this.#cursors.look()
      if (cursor !== 'moving') return cursor
    }
  }

  /**
   * Waits until all listings of the sequence are caught up to the same position, then returns a cursor; none for a
   * partial reply. Retries when a listing changes meanwhile (`looksMax` times).
   * @throws Failure VIEW_NOT_READY
   */
  async #reach(
    options: ReadOptions = {},
  ): Promise<{ progress: ListingProgress; cursor: OrderCursor | undefined; isWhole: boolean }> {
    const { catchUp } = this.#context
    for (let looks = 1; ; looks += 1) {
      const reached = await catchUp.reach(this.#sequence.listing, options)
      const cursor = await this.#look()
      // It may be further by now.
      const progress = cursor === undefined ? reached : { ...reached, current: cursor.row }
      const isKnown = isCaughtUp(progress, progress.head)
      const isWhole = isKnown && cursor?.isAtRest === true
      // What was in use a moment ago is being replaced or removed.
      const isGone = cursor === undefined && progress.current !== undefined
      if (isWhole || (!isKnown && !isGone)) return { progress, cursor, isWhole }
      if (looks < looksMax) continue
      if (options.partial !== true && options.cachedOnly !== true) throw notReady(progress)
      return { progress, cursor, isWhole }
    }
  }

  /**
   * Reads what is in order, or else what was found for it so far. Reading what is in order gives
   * undefined when it has changed since it was looked at.
   */
  async #read<T>(
    options: ReadOptions | undefined,
    nothing: T,
    sorted: (cursor: OrderCursor) => Promise<T | undefined>,
    unsorted: (row: ListingRow, count: number) => Promise<T>,
  ): Promise<ReadResult<T>> {
    for (;;) {
      const { progress, cursor, isWhole } = await this.#reach(options)
      if (cursor === undefined) {
        return readResult(await this.#ofBuilding(progress, nothing, unsorted), progress, false)
      }
      const value = await sorted(cursor)
      if (value !== undefined) return readResult(value, progress, isWhole)
    }
  }

  async #ofBuilding<T>(
    { building }: ListingProgress,
    nothing: T,
    unsorted: (row: ListingRow, count: number) => Promise<T>,
  ): Promise<T> {
    if (building === undefined) return nothing
    const limits = this.#sequence.bounds.map(({ limit }) => limit)
    return unsorted(building, Math.min(building.count, ...limits))
  }

  #readsOf({ id }: ListingRow, { only, cut }: ShownPart = {}): OrderedReads {
    const { prepare } = this.#context.store
    const { repoId, isCurrent } = this.#sequence
    return this.#reads.get(`${id} ${cut} ${only}`, () => {
      const shown = this.#show(only)
      const of = { repoId, listingId: id, isCurrent }
      return prepareOrderedReads(prepare, of, cut === undefined ? shown : cutTexts(shown, cut))
    })
  }
}

/** State whose items are read; it says nothing where all are read. */
function stateAt(current: OrderCursor['current']): number {
  return current?.at ?? 0
}
