import type { DatasetGrowth, Item, ItemNeighbours, SealedItem } from '@vitrine/contract'
import { LruCache } from '../runtime/lru-cache.ts'
import type { DatasetVersion } from '../store/datasets.ts'
import { findListings, readHead, type ListingRow } from '../store/listings.ts'
import {
  neighbours,
  readResult,
  finalResult,
  type ReadResult,
  type ItemReader,
  type Members,
  type Page,
  type ShownPart,
} from './read-result.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import { findPosition, hasSeen } from './item-position.ts'
import { everywhere, preparePlainReads, type PlainReads } from './plain-reads.ts'
import type { ReadContext } from './read-context.ts'
import type { Listing, PlainSequence } from '../language/sequence.ts'
import { cutTexts, type Shown } from '../language/shown-fields.ts'
import { plainSnapshot } from './snapshot-reads.ts'
import type { StateSnapshot } from './snapshot.ts'
import { readReached } from '../listings/base-reach.ts'
import { membersBefore } from '../listings/members-before.ts'
import { isCaughtUp, type ListingProgress } from '../listings/listing-progress.ts'

/** End of a plain sequence, and what it was found by. */
export type SequenceEnd = {
  progress?: ListingProgress
  /** The listing, where the sequence has one. */
  current?: ListingRow
  /** How many items the repository has. */
  head?: number
  end?: number
}

/** Points of a growth curve. */
const pointsMax = 50

/** Reads a plain sequence: pages are ranges of positions. */
export class PlainReader implements ItemReader {
  readonly #context: ReadContext
  readonly #sequence: PlainSequence
  readonly #show: (only?: string) => Shown
  readonly #reads = new LruCache<string, PlainReads>(8)
  readonly #version: DatasetVersion | undefined
  readonly #limit: number
  /** The listing when it was last looked for; that of a view is never replaced. */
  #seen: ListingRow | undefined

  constructor(
    context: ReadContext,
    sequence: PlainSequence,
    show: (only?: string) => Shown,
    version?: DatasetVersion,
  ) {
    this.#context = context
    this.#sequence = sequence
    this.#show = show
    this.#version = version
    // Of the repository itself both are positions.
    const end = sequence.listing === undefined ? sequence.before : Infinity
    this.#limit = Math.min(sequence.limit, end, everywhere)
  }

  async page({ page, pageSize, cut }: Page, options?: ReadOptions): Promise<ReadResult<Item[]>> {
    const from = page * pageSize
    const to = Math.min(from + pageSize, this.#limit)
    const { listing } = this.#sequence
    if (listing === undefined) {
      const items = await this.readsOf(undefined, { cut }).range({ from, to })
      return finalResult(items, items.length === pageSize)
    }
    // A page that is full stays as it is.
    const isFull = this.#has((count) => count >= to)
    for (;;) {
      const progress = await this.#reach(listing, options, isFull)
      const { current, head } = progress
      if (current === undefined) return readResult([], progress, false)
      const count = await this.#countOf(current)
      if (count === undefined) continue
      // No further than the progress tells.
      const end = Math.min(to, count)
      const value = await this.readsOf(current, { cut }).range({ from, to: end })
      // Fewer than there were: the listing is being removed, as what nobody asked for lately is.
      if (value.length < end - from) continue
      return isFull(progress) || count >= to
        ? finalResult(value, value.length === pageSize)
        : readResult(value, progress, isCaughtUp(progress, head))
    }
  }

  async count(options?: ReadOptions, upTo = Infinity): Promise<ReadResult<number>> {
    const { listing, repoId, limit } = this.#sequence
    if (listing === undefined) {
      return { value: Math.min(await readHead(this.#context.store.reads, repoId), this.#limit) }
    }
    const isEnough = this.#has((count) => count > upTo || count >= limit)
    for (;;) {
      const progress = await this.#reach(listing, options, isEnough)
      const { current, head } = progress
      const count = current === undefined ? 0 : await this.#countOf(current)
      if (count === undefined) continue
      const value = Math.min(count, limit)
      return readResult(value, progress, isEnough(progress) || isCaughtUp(progress, head))
    }
  }

  async addedAt(options?: ReadOptions): Promise<number | undefined> {
    const { current, end } = await this.end(options)
    return end === undefined ? undefined : this.readsOf(current).createdAt({ position: end - 1 })
  }

  async growth(options?: ReadOptions): Promise<ReadResult<DatasetGrowth>> {
    const { progress, current, end } = await this.end(options)
    if (progress !== undefined && end === undefined) {
      return readResult({ points: [] }, progress, false)
    }
    const { createdAt } = this.readsOf(current)
    const points = await samplePoints(end ?? 0, (position) => createdAt({ position }))
    if (progress === undefined) return { value: { points } }
    return readResult({ points }, progress, isCaughtUp(progress, progress.head))
  }

  async get(
    itemId: number,
    options?: ReadOptions,
    cut?: number,
  ): Promise<ReadResult<SealedItem | undefined>> {
    const item = await this.#get(itemId, { options, cut })
    return finalResult(item, item !== undefined)
  }

  async neighbours(itemId: number, options?: ReadOptions): Promise<ItemNeighbours | undefined> {
    // All of them, or the next one may not be known yet.
    const { current, end } = await this.end(options)
    if (end === undefined) return undefined
    const reads = this.readsOf(current)
    const position = await reads.position({ itemId, to: end })
    if (position === undefined) return undefined
    const beside = await reads.ids({ from: position - 1, to: Math.min(position + 2, end) })
    const at = (place: number) => beside.find((each) => each.position === place)?.id
    return neighbours(at(position - 1), at(position + 1))
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
    const { store } = this.#context
    const { repoId } = this.#sequence
    const { current, head = 0, end = 0 } = await this.end(options)
    const at = current === undefined ? head : await readReached(store.reads, repoId, current)
    const source = { repoId, listingId: current?.id, count: end }
    return { ...plainSnapshot(store, source, this.#show(), from), at }
  }

  async members(options?: ReadOptions): Promise<Members> {
    const { current, end = 0 } = await this.end(options)
    return { kind: 'plain', listingId: current?.id, count: end }
  }

  /** Whether a listing that has not come to the end of the sequence has enough items of it. */
  #has(isEnough: (count: number) => boolean): (progress: ListingProgress) => boolean {
    const { before } = this.#sequence
    return ({ current }) =>
      current !== undefined && current.scanned <= before && isEnough(current.count)
  }

  /** Brings the listing to the end of the sequence, or until it is enough. @throws Failure VIEW_NOT_READY */
  async #reach(
    listing: Listing,
    options?: ReadOptions,
    isEnough: (progress: ListingProgress) => boolean = () => false,
  ): Promise<ListingProgress> {
    const { before } = this.#sequence
    const upTo = (progress: ListingProgress) => ({
      ...progress,
      head: Math.min(progress.head, before),
    })
    const isDone = (progress: ListingProgress) =>
      isCaughtUp(progress, upTo(progress).head) || isEnough(progress)
    return upTo(await this.#context.catchUp.reach(listing, options, isDone))
  }

  /** Returns where the sequence ends; undefined while the listing cannot be read. */
  async end(options?: ReadOptions): Promise<SequenceEnd> {
    const { listing, repoId } = this.#sequence
    if (listing === undefined) {
      const head = await readHead(this.#context.store.reads, repoId)
      return { head, end: Math.min(head, this.#limit) }
    }
    for (;;) {
      const progress = await this.#reach(listing, options)
      const { current } = progress
      if (current === undefined) return { progress }
      const count = await this.#countOf(current)
      if (count !== undefined) return { progress, current, end: Math.min(count, this.#limit) }
    }
  }

  /** How many members of a listing are in the sequence, but for its limit; undefined while it is being removed. */
  #countOf(row: ListingRow): Promise<number | undefined> {
    return membersBefore(this.#context.store.reads, row, this.#sequence.before)
  }

  async #get(
    itemId: number,
    { options, ...part }: ShownPart & { options?: ReadOptions | undefined },
  ): Promise<SealedItem | undefined> {
    const place = await this.#find(itemId, part)
    const { listing } = this.#sequence
    if (place !== undefined || listing === undefined) return place
    const position = await findPosition(this.#context.store.reads, this.#sequence.repoId, itemId)
    if (position === undefined || position >= this.#sequence.before) return undefined
    const { current } = await this.#context.catchUp.reach(listing, options, hasSeen(position))
    this.#seen = current
    return this.#find(itemId, part)
  }

  async #find(itemId: number, part?: ShownPart): Promise<SealedItem | undefined> {
    const { listing } = this.#sequence
    if (listing !== undefined) this.#seen ??= await this.#look(listing)
    if (listing !== undefined && this.#seen === undefined) return undefined
    return this.readsOf(this.#seen, part).get({ itemId, to: this.#limit })
  }

  async #look({ owner }: Listing): Promise<ListingRow | undefined> {
    return (await findListings(this.#context.store.reads, owner)).current
  }

  readsOf(row: ListingRow | undefined, { only, cut }: ShownPart = {}): PlainReads {
    const { repoId, before } = this.#sequence
    const { prepare } = this.#context.store
    return this.#reads.get(`${row?.id} ${cut} ${only}`, () =>
      preparePlainReads(
        prepare,
        { repoId, listingId: row?.id, version: this.#version, before },
        cut === undefined ? this.#show(only) : cutTexts(this.#show(only), cut),
      ),
    )
  }
}

/** Samples a growth curve at numbers of items from 1 to `count`, evenly apart, by the moments of the items at their ranks. */
export async function samplePoints(
  count: number,
  momentAt: (rank: number) => Promise<number | undefined>,
): Promise<DatasetGrowth['points']> {
  const points = Math.min(count, pointsMax)
  const samples = Array.from({ length: points }, async (_, point) => {
    const items = points === 1 ? 1 : 1 + Math.round((point * (count - 1)) / (points - 1))
    const at = await momentAt(items - 1)
    // A listing may be removed meanwhile.
    return at === undefined ? [] : [{ items, at: new Date(at).toISOString() }]
  })
  return (await Promise.all(samples)).flat()
}
