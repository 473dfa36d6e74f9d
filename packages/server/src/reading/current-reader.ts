import type { DatasetGrowth, Item, ItemNeighbours, SealedItem } from '@vitrine/contract'
import { sql } from 'kysely'
import { type PlainSequence, sequenceEnd } from '../language/sequence.ts'
import { cutTexts, type Shown } from '../language/shown-fields.ts'
import type { ReadOptions } from '../listings/catch-up.ts'
import type { Gaps } from '../listings/gaps.ts'
import { isCaughtUp } from '../listings/listing-progress.ts'
import { numbers } from '../store/expressions.ts'
import { membersTable } from '../store/listing-tables.ts'
import { type ListingRow, readHead, scannedForGood } from '../store/listings.ts'
import type { Db } from '../store/store.ts'
import { findPosition } from './item-position.ts'
import { PlainReader, type SequenceEnd, samplePoints } from './plain-reader.ts'
import { readItemsAt } from './plain-reads.ts'
import type { ReadContext } from './read-context.ts'
import {
  type ItemReader,
  type Members,
  type Page,
  type ReadResult,
  finalResult,
  neighbours,
  readResult,
} from './read-result.ts'
import { plainSnapshot } from './snapshot-reads.ts'
import type { StateSnapshot } from './snapshot.ts'

/** Items within a page that are read past; where there are more, its items are read by their positions. */
const gapsMax = 100

/** Items of a plain sequence that hold in one state of its repository. */
type CurrentItems = {
  /** The listing, where the sequence has one. */
  row: ListingRow | undefined
  /** How many items the sequence has, current or not. */
  end: number
  /** Places of those that are not. */
  gaps: Gaps
  count: number
  /** How many items the repository has in that state. */
  at: number
}

/** Current items, none while the listing cannot be read, and how far that has looked. */
type CurrentState = Pick<SequenceEnd, 'progress'> & { items?: CurrentItems }

/**
 * Reads the current items of a plain sequence, by the places of those that do not hold any more: a page costs what a page
 * of all items costs, however many were superseded before it.
 */
export class CurrentReader implements ItemReader {
  readonly #context: ReadContext
  readonly #sequence: PlainSequence
  readonly #show: (only?: string) => Shown
  /** Reads all items of the sequence. */
  readonly #all: PlainReader

  constructor(context: ReadContext, sequence: PlainSequence, show: (only?: string) => Shown) {
    this.#context = context
    this.#sequence = sequence
    this.#show = show
    this.#all = new PlainReader(context, sequence, show)
  }

  async page({ page, pageSize, cut }: Page, options?: ReadOptions): Promise<ReadResult<Item[]>> {
    const from = page * pageSize
    for (;;) {
      const found = await this.find(options)
      if (found.items === undefined) return resultOf([], found)
      const { count } = found.items
      const to = Math.max(from, Math.min(from + pageSize, count))
      const items = await this.#range(found.items, { from, to, cut })
      // Fewer than there were: the listing is being removed, as what nobody asked for lately is.
      if (items.length < to - from) continue
      const isFinal = found.items.at === this.#end && items.length === pageSize
      return isFinal ? finalResult(items, true) : resultOf(items, found)
    }
  }

  async count(options?: ReadOptions): Promise<ReadResult<number>> {
    const found = await this.find(options)
    return resultOf(found.items?.count ?? 0, found)
  }

  async addedAt(options?: ReadOptions): Promise<number | undefined> {
    const { items } = await this.find(options)
    if (items === undefined || items.count === 0) return undefined
    const position = items.gaps.placeOf(items.count - 1)
    return this.#all.readsOf(items.row).createdAt({ position })
  }

  async growth(options?: ReadOptions): Promise<ReadResult<DatasetGrowth>> {
    const found = await this.find(options)
    const { row, count = 0, gaps } = found.items ?? {}
    const { createdAt } = this.#all.readsOf(row)
    const points = await samplePoints(count, (rank) => createdAt({ position: gaps!.placeOf(rank) }))
    return resultOf({ points }, found)
  }

  async get(
    itemId: number,
    options?: ReadOptions,
    cut?: number,
  ): Promise<ReadResult<SealedItem | undefined>> {
    const { value } = await this.#all.get(itemId, options, cut)
    return { value: (await this.#holds(itemId)) ? value : undefined }
  }

  async getField(
    fieldName: string,
    itemId: number,
    options?: ReadOptions,
  ): Promise<SealedItem | undefined> {
    const item = await this.#all.getField(fieldName, itemId, options)
    return (await this.#holds(itemId)) ? item : undefined
  }

  async has(itemId: number): Promise<boolean> {
    return (await this.#all.has(itemId)) && (await this.#holds(itemId))
  }

  async neighbours(itemId: number, options?: ReadOptions): Promise<ItemNeighbours | undefined> {
    const { items } = await this.find(options)
    if (items === undefined) return undefined
    const { row, end, gaps, count } = items
    const reads = this.#all.readsOf(row)
    const place = await reads.position({ itemId, to: end })
    if (place === undefined || gaps.has(place)) return undefined
    const idAt = async (rank: number) => {
      if (rank < 0 || rank >= count) return undefined
      const from = gaps.placeOf(rank)
      return (await reads.ids({ from, to: from + 1 }))[0]?.id
    }
    const rank = place - gaps.before(place)
    return neighbours(await idAt(rank - 1), await idAt(rank + 1))
  }

  async snapshot(from: number, options?: ReadOptions): Promise<StateSnapshot> {
    const { store } = this.#context
    const { repoId } = this.#sequence
    const items = (await this.find(options)).items!
    const source = { repoId, listingId: items.row?.id, count: items.count, current: items }
    return { ...plainSnapshot(store, source, this.#show(), from), at: items.at }
  }

  async members(options?: ReadOptions): Promise<Members> {
    const { row, end, at } = (await this.find(options)).items!
    return { kind: 'plain', listingId: row?.id, count: end, currentAt: at }
  }

  get #end(): number {
    return sequenceEnd(this.#sequence)
  }

  /** @throws Failure VIEW_NOT_READY */
  async find(options?: ReadOptions): Promise<CurrentState> {
    const { superseded, store } = this.#context
    const { repoId } = this.#sequence
    const { progress, current: row, head, end } = await this.#all.end(options)
    if (end === undefined) return { ...(progress && { progress }) }
    const scanned = row === undefined || row.scanned === scannedForGood ? undefined : row.scanned
    const at = Math.min(scanned ?? head ?? (await readHead(store.reads, repoId)), this.#end)
    const gaps =
      row === undefined
        ? await superseded.inRepo(repoId, { at, end: this.#end })
        : await superseded.inMembers(
            { repoId, listingId: row.id },
            { at, scanned: row.scanned, end: this.#end },
          )
    if (gaps === undefined) return this.find(options)
    const items = { row, end, gaps, at, count: end - gaps.before(end) }
    return { ...(progress && { progress }), items }
  }

  async #range(
    { row, gaps, at }: CurrentItems,
    { from, to, cut }: { from: number; to: number; cut: number | undefined },
  ): Promise<Item[]> {
    if (from === to) return []
    const [first, last] = [gaps.placeOf(from), gaps.placeOf(to - 1)]
    const count = to - from
    if (last - first < count + gapsMax) {
      return this.#all.readsOf(row, { cut }).range({ from: first, to: last + 1 }, { at, count })
    }
    const places = Array.from({ length: count }, (_, index) => gaps.placeOf(from + index))
    const { repoId } = this.#sequence
    const { prepare, reads } = this.#context.store
    const positions = row === undefined ? places : await readRoots(reads, row.id, places)
    const shown = cut === undefined ? this.#show() : cutTexts(this.#show(), cut)
    return readItemsAt(prepare, { repoId, shown }, positions)
  }

  /** Whether an item that is there holds. */
  async #holds(itemId: number): Promise<boolean> {
    const { store, superseded } = this.#context
    const { repoId } = this.#sequence
    const position = await findPosition(store.reads, repoId, itemId)
    if (position === undefined) return false
    const at = Math.min(await readHead(store.reads, repoId), this.#end)
    return !(await superseded.inRepo(repoId, { at, end: this.#end })).has(position)
  }
}

/** Reads the positions in their repository of the items at some places of a listing. */
async function readRoots(db: Db, listingId: number, places: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ root: number }>`
    select root from ${membersTable(listingId)}
    where position in (select value from ${numbers(places)}) order by position`.execute(db)
  return rows.map(({ root }) => root)
}

function resultOf<T>(value: T, { progress }: CurrentState): ReadResult<T> {
  return progress === undefined
    ? { value }
    : readResult(value, progress, isCaughtUp(progress, progress.head))
}
