import type { Item, SealedItem } from '@vitrine/contract'
import { fail } from '../failure.ts'
import { Kept } from '../store/kept.ts'
import type { ListingRow } from '../store/listings.ts'
import { answer, type Answer, type ItemReader, type Page } from './answer.ts'
import { findPosition, requireSeen } from './item-position.ts'
import { prepareOrderedReads, type OrderedReads } from './ordered-reads.ts'
import type { ReadContext } from './read-context.ts'
import type { OrderedSequence } from './sequence.ts'
import type { Shown } from './shown-fields.ts'
import { Sights, type Sight } from './sight.ts'
import { orderedSnapshot } from './snapshot-reads.ts'
import type { Snapshot } from './snapshot.ts'
import { isCaughtUp, type Standing } from './standing.ts'

/** How often a read looks again while what it needs changes under it. */
const looksMax = 5

/** Reads an ordered sequence: pages are runs of keys, found by adding up the counts of blocks. */
export class OrderedReader implements ItemReader {
  readonly #context: ReadContext
  readonly #sequence: OrderedSequence
  readonly #show: (only?: string) => Shown
  readonly #sights: Sights
  readonly #reads = new Kept<string, OrderedReads>(8)

  constructor(context: ReadContext, sequence: OrderedSequence, show: (only?: string) => Shown) {
    this.#context = context
    this.#sequence = sequence
    this.#show = show
    this.#sights = new Sights(context, sequence)
  }

  page({ page, pageSize }: Page): Promise<Answer<Item[]>> {
    const from = page * pageSize
    return this.#read(
      [],
      async ({ row, count }) => {
        const wanted = Math.min(pageSize, count - from)
        if (wanted <= 0) return []
        const { store, indexes } = this.#context
        const blocks = await indexes.get(row.id).blocks(store.reads, row.version)
        const { version } = row
        return blocks && this.#readsOf(row).run({ ...blocks.atRank(from), count: wanted, version })
      },
      async (row, count) => {
        const wanted = Math.min(pageSize, count - from)
        return wanted <= 0 ? [] : this.#readsOf(row).unsorted({ offset: from, count: wanted })
      },
    )
  }

  count(): Promise<Answer<number>> {
    return this.#read(
      0,
      async ({ count }) => count,
      async (_row, count) => count,
    )
  }

  async get(itemId: number): Promise<Answer<SealedItem | undefined>> {
    return { value: await this.#get(itemId) }
  }

  getField(fieldName: string, itemId: number): Promise<SealedItem | undefined> {
    return this.#get(itemId, fieldName)
  }

  async has(itemId: number): Promise<boolean> {
    return (await this.#find(itemId)) !== undefined
  }

  async snapshot(from: number): Promise<Snapshot> {
    const { store, catchUp, budgets, indexes } = this.#context
    const { repoId, listing } = this.#sequence
    for (;;) {
      const standing = await catchUp.reach(listing, budgets.whole)
      if (!isCaughtUp(standing, standing.head)) throw fail('OVERLOADED')
      const sight = await this.#look()
      if (sight?.isAtRest !== true) continue
      const { row, bound, count } = sight
      const blocks = await indexes.get(row.id).blocks(store.reads, row.version)
      if (blocks === undefined) continue
      // Ranks change while the listing grows, keys do not.
      const keyBefore =
        from === 0 || from > count
          ? new Uint8Array()
          : await indexes.get(row.id).keyAt(blocks, from - 1)
      const after = await this.#look()
      if (keyBefore === undefined || after === undefined) continue
      if (after.row.id !== row.id || after.row.version !== row.version) continue
      const source = { repoId, listingId: row.id, head: row.scanned, bound, count, keyBefore }
      return orderedSnapshot(store, source, this.#show(), from)
    }
  }

  async #get(itemId: number, only?: string): Promise<SealedItem | undefined> {
    const { store, catchUp, budgets } = this.#context
    const { repoId, listing, bounds } = this.#sequence
    if (bounds.length === 0 && listing.kind === 'order') {
      // Nothing falls out of it again.
      const found = await this.#find(itemId, only)
      if (found !== undefined) return found
    }
    const position = await findPosition(store.reads, repoId, itemId)
    if (position === undefined) return undefined
    requireSeen(await catchUp.reach(listing, budgets.whole), position)
    return this.#find(itemId, only)
  }

  async #find(itemId: number, only?: string): Promise<SealedItem | undefined> {
    const sight = await this.#look()
    if (sight === undefined) return undefined
    const found = await this.#readsOf(sight.row, only).get(itemId)
    if (found === undefined) return undefined
    const isIn = sight.bound === undefined || Buffer.compare(found.key, sight.bound) <= 0
    return isIn ? found.item : undefined
  }

  /** Undefined while the listings are not in use. */
  async #look(): Promise<Sight | undefined> {
    for (;;) {
      const sight = await this.#sights.look()
      if (sight !== 'moving') return sight
    }
  }

  /**
   * Reads what is in order, or else what was found for it so far. Reading what is in order gives
   * undefined when it has changed since it was looked at.
   */
  async #read<T>(
    nothing: T,
    sorted: (sight: Sight) => Promise<T | undefined>,
    unsorted: (row: ListingRow, count: number) => Promise<T>,
  ): Promise<Answer<T>> {
    const { catchUp, budgets } = this.#context
    const { listing } = this.#sequence
    for (let looks = 1; ; looks += 1) {
      const standing = await catchUp.reach(listing, budgets.partial)
      const sight = await this.#look()
      // What was there a moment ago is being replaced or removed.
      const isGone = sight === undefined && standing.current !== undefined
      if (isGone && looks < looksMax) continue
      if (sight === undefined)
        return answer(await this.#ofBuilding(standing, nothing, unsorted), standing)
      if (!sight.isAtRest && looks < looksMax) continue
      const value = await sorted(sight)
      if (value !== undefined) return answer(value, standing)
    }
  }

  async #ofBuilding<T>(
    { building }: Standing,
    nothing: T,
    unsorted: (row: ListingRow, count: number) => Promise<T>,
  ): Promise<T> {
    if (building === undefined) return nothing
    const limits = this.#sequence.bounds.map(({ limit }) => limit)
    return unsorted(building, Math.min(building.count, ...limits))
  }

  #readsOf({ id }: ListingRow, only?: string): OrderedReads {
    const { prepare } = this.#context.store
    const { repoId } = this.#sequence
    return this.#reads.get(`${id} ${only}`, () =>
      prepareOrderedReads(prepare, { repoId, listingId: id }, this.#show(only)),
    )
  }
}
