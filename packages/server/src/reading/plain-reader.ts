import type { DatasetGrowth, Item, ItemNeighbours, SealedItem } from '@vitrine/contract'
import { LruCache } from '../runtime/lru-cache.ts'
import { findListings, readHead, type ListingRow } from '../store/listings.ts'
import {
  neighbours,
  readResult,
  finalResult,
  type ReadResult,
  type ItemReader,
  type Page,
} from './read-result.ts'
import type { Asking } from '../listings/catch-up.ts'
import { findPosition, hasSeen } from './item-position.ts'
import { everywhere, preparePlainReads, type PlainReads } from './plain-reads.ts'
import type { ReadContext } from './read-context.ts'
import type { Listing, PlainSequence } from '../language/sequence.ts'
import type { Shown } from '../language/shown-fields.ts'
import { plainSnapshot } from './snapshot-reads.ts'
import type { Snapshot } from './snapshot.ts'
import { isCaughtUp, type ListingProgress } from '../listings/listing-progress.ts'

/** Of the points at which growth is told. */
const pointsMax = 50

/** Reads a plain sequence: pages are ranges of positions. */
export class PlainReader implements ItemReader {
  readonly #context: ReadContext
  readonly #sequence: PlainSequence
  readonly #show: (only?: string) => Shown
  readonly #reads = new LruCache<string, PlainReads>(8)
  readonly #revision: number | undefined
  readonly #limit: number
  /** The listing when it was last looked for; that of a view is never replaced. */
  #seen: ListingRow | undefined

  constructor(
    context: ReadContext,
    sequence: PlainSequence,
    show: (only?: string) => Shown,
    revision?: number,
  ) {
    this.#context = context
    this.#sequence = sequence
    this.#show = show
    this.#revision = revision
    this.#limit = Math.min(sequence.limit, everywhere)
  }

  async page({ page, pageSize }: Page, asking?: Asking): Promise<ReadResult<Item[]>> {
    const from = page * pageSize
    const to = Math.min(from + pageSize, this.#limit)
    const { listing } = this.#sequence
    if (listing === undefined) {
      const items = await this.#readsOf(undefined).range({ from, to })
      return finalResult(items, items.length === pageSize)
    }
    // A page that is full stays as it is.
    const isFull = ({ current }: ListingProgress) => current !== undefined && current.count >= to
    for (;;) {
      const progress = await this.#context.catchUp.reach(listing, asking, isFull)
      const { current, head } = progress
      if (current === undefined) return readResult([], progress, false)
      // No further than the progress tells.
      const end = Math.min(to, current.count)
      const value = await this.#readsOf(current).range({ from, to: end })
      // Fewer than there were: the listing is being removed, as what nobody asked for lately is.
      if (value.length < end - from) continue
      return isFull(progress)
        ? finalResult(value, value.length === pageSize)
        : readResult(value, progress, isCaughtUp(progress, head))
    }
  }

  async count(asking?: Asking, upTo = Infinity): Promise<ReadResult<number>> {
    const { listing, repoId, limit } = this.#sequence
    const { store, catchUp } = this.#context
    if (listing === undefined) {
      return { value: Math.min(await readHead(store.reads, repoId), limit) }
    }
    const isEnough = ({ current }: ListingProgress) =>
      current !== undefined && (current.count > upTo || current.count >= limit)
    const progress = await catchUp.reach(listing, asking, isEnough)
    const value = Math.min(progress.current?.count ?? 0, limit)
    return readResult(value, progress, isEnough(progress) || isCaughtUp(progress, progress.head))
  }

  async addedAt(asking?: Asking): Promise<number | undefined> {
    const { listing, repoId } = this.#sequence
    const { store, catchUp } = this.#context
    const current = listing && (await catchUp.reach(listing, asking)).current
    if (listing !== undefined && current === undefined) return undefined
    const count = current?.count ?? (await readHead(store.reads, repoId))
    return this.#readsOf(current).createdAt({ position: Math.min(count, this.#limit) - 1 })
  }

  async growth(asking?: Asking): Promise<ReadResult<DatasetGrowth>> {
    const { listing, repoId } = this.#sequence
    const progress = listing && (await this.#context.catchUp.reach(listing, asking))
    const current = progress?.current
    if (progress !== undefined && current === undefined) {
      return readResult({ points: [] }, progress, false)
    }
    const known = current?.count ?? (await readHead(this.#context.store.reads, repoId))
    const { createdAt } = this.#readsOf(current)
    const found = await Promise.all(
      spread(Math.min(known, this.#limit)).map(async (items) => ({
        items,
        at: await createdAt({ position: items - 1 }),
      })),
    )
    // A listing may be removed meanwhile.
    const points = found.flatMap(({ items, at }) =>
      at === undefined ? [] : [{ items, at: new Date(at).toISOString() }],
    )
    if (progress === undefined) return { value: { points } }
    return readResult({ points }, progress, isCaughtUp(progress, progress.head))
  }

  async get(itemId: number, asking?: Asking): Promise<ReadResult<SealedItem | undefined>> {
    const item = await this.#get(itemId, { asking })
    return finalResult(item, item !== undefined)
  }

  async neighbours(itemId: number, asking?: Asking): Promise<ItemNeighbours | undefined> {
    const { listing } = this.#sequence
    // All of them, or the next one may not be known yet.
    const current = listing && (await this.#context.catchUp.reach(listing, asking)).current
    if (listing !== undefined && current === undefined) return undefined
    const reads = this.#readsOf(current)
    const position = await reads.position({ itemId, to: this.#limit })
    if (position === undefined) return undefined
    const beside = await reads.ids({
      from: position - 1,
      to: Math.min(position + 2, this.#limit),
    })
    const at = (place: number) => beside.find((each) => each.position === place)?.id
    return neighbours(at(position - 1), at(position + 1))
  }

  getField(fieldName: string, itemId: number, asking?: Asking): Promise<SealedItem | undefined> {
    return this.#get(itemId, { only: fieldName, asking })
  }

  async has(itemId: number): Promise<boolean> {
    return (await this.#find(itemId)) !== undefined
  }

  async snapshot(from: number, asking?: Asking): Promise<Snapshot> {
    const { store, catchUp } = this.#context
    const { repoId, listing } = this.#sequence
    if (listing === undefined) {
      const count = Math.min(await readHead(store.reads, repoId), this.#limit)
      return plainSnapshot(store, { repoId, listingId: undefined, count }, this.#show(), from)
    }
    const current = (await catchUp.reach(listing, asking)).current!
    const count = Math.min(current.count, this.#limit)
    return plainSnapshot(store, { repoId, listingId: current.id, count }, this.#show(), from)
  }

  async #get(
    itemId: number,
    { only, asking }: { only?: string; asking?: Asking | undefined },
  ): Promise<SealedItem | undefined> {
    const found = await this.#find(itemId, only)
    const { listing } = this.#sequence
    if (found !== undefined || listing === undefined) return found
    const position = await findPosition(this.#context.store.reads, this.#sequence.repoId, itemId)
    if (position === undefined) return undefined
    const { current } = await this.#context.catchUp.reach(listing, asking, hasSeen(position))
    this.#seen = current
    return this.#find(itemId, only)
  }

  async #find(itemId: number, only?: string): Promise<SealedItem | undefined> {
    const { listing } = this.#sequence
    if (listing !== undefined) this.#seen ??= await this.#look(listing)
    if (listing !== undefined && this.#seen === undefined) return undefined
    return this.#readsOf(this.#seen, only).get({ itemId, to: this.#limit })
  }

  async #look({ owner }: Listing): Promise<ListingRow | undefined> {
    return (await findListings(this.#context.store.reads, owner)).current
  }

  #readsOf(row: ListingRow | undefined, only?: string): PlainReads {
    const { repoId } = this.#sequence
    const { prepare } = this.#context.store
    return this.#reads.get(`${row?.id} ${only}`, () =>
      preparePlainReads(
        prepare,
        { repoId, listingId: row?.id, revision: this.#revision },
        this.#show(only),
      ),
    )
  }
}

/** Numbers of items from 1 to `count`, evenly apart. */
function spread(count: number): number[] {
  if (count === 0) return []
  const points = Math.min(count, pointsMax)
  return Array.from({ length: points }, (_, point) =>
    points === 1 ? 1 : 1 + Math.round((point * (count - 1)) / (points - 1)),
  )
}
