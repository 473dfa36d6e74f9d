import type { Item, SealedItem } from '@vitrine/contract'
import { fail } from '../failure.ts'
import { Kept } from '../store/kept.ts'
import { findListings, readHead, type ListingRow } from '../store/listings.ts'
import { answer, answerOnce, type Answer, type ItemReader, type Page } from './answer.ts'
import { findPosition, requireSeen } from './item-position.ts'
import { everywhere, preparePlainReads, type PlainReads } from './plain-reads.ts'
import type { ReadContext } from './read-context.ts'
import type { Listing, PlainSequence } from './sequence.ts'
import type { Shown } from './shown-fields.ts'
import { plainSnapshot } from './snapshot-reads.ts'
import type { Snapshot } from './snapshot.ts'
import { isCaughtUp } from './standing.ts'
import type { Standing } from './standing.ts'

/** Reads a plain sequence: pages are ranges of positions. */
export class PlainReader implements ItemReader {
  readonly #context: ReadContext
  readonly #sequence: PlainSequence
  readonly #show: (only?: string) => Shown
  readonly #reads = new Kept<string, PlainReads>(8)
  readonly #limit: number
  /** The listing when it was last looked for; that of a view is never replaced. */
  #seen: ListingRow | undefined

  constructor(context: ReadContext, sequence: PlainSequence, show: (only?: string) => Shown) {
    this.#context = context
    this.#sequence = sequence
    this.#show = show
    this.#limit = Math.min(sequence.limit, everywhere)
  }

  async page({ page, pageSize }: Page): Promise<Answer<Item[]>> {
    const from = page * pageSize
    const to = Math.min(from + pageSize, this.#limit)
    const { listing } = this.#sequence
    if (listing === undefined) {
      const items = await this.#readsOf(undefined).range({ from, to })
      return answerOnce(items, items.length === pageSize)
    }
    const { catchUp, budgets } = this.#context
    for (;;) {
      // A page that is full stays as it is.
      const isFull = ({ current }: Standing) => current !== undefined && current.count >= to
      const standing = await catchUp.reach(listing, budgets.partial, isFull)
      const { current } = standing
      if (current === undefined) return answer([], standing)
      const value = await this.#readsOf(current).range({ from, to })
      // Fewer than there were: the listing is being removed, as what nobody asked for lately is.
      if (value.length < Math.min(to, current.count) - from) continue
      return isFull(standing)
        ? answerOnce(value, value.length === pageSize)
        : answer(value, standing)
    }
  }

  async count(upTo = Infinity): Promise<Answer<number>> {
    const { listing, repoId, limit } = this.#sequence
    const { store, catchUp, budgets } = this.#context
    if (listing === undefined) {
      return { value: Math.min(await readHead(store.reads, repoId), limit) }
    }
    const isEnough = ({ current }: Standing) =>
      current !== undefined && (current.count > upTo || current.count >= limit)
    const standing = await catchUp.reach(listing, budgets.partial, isEnough)
    const value = Math.min(standing.current?.count ?? 0, limit)
    return isEnough(standing) ? { value } : answer(value, standing)
  }

  async get(itemId: number): Promise<Answer<SealedItem | undefined>> {
    const item = await this.#get(itemId)
    return answerOnce(item, item !== undefined)
  }

  getField(fieldName: string, itemId: number): Promise<SealedItem | undefined> {
    return this.#get(itemId, fieldName)
  }

  async has(itemId: number): Promise<boolean> {
    return (await this.#find(itemId)) !== undefined
  }

  async snapshot(from: number): Promise<Snapshot> {
    const { store, catchUp, budgets } = this.#context
    const { repoId, listing } = this.#sequence
    if (listing === undefined) {
      const count = Math.min(await readHead(store.reads, repoId), this.#limit)
      return plainSnapshot(store, { repoId, listingId: undefined, count }, this.#show(), from)
    }
    const standing = await catchUp.reach(listing, budgets.whole)
    const { current, head } = standing
    if (current === undefined || !isCaughtUp(standing, head)) throw fail('OVERLOADED')
    const count = Math.min(current.count, this.#limit)
    return plainSnapshot(store, { repoId, listingId: current.id, count }, this.#show(), from)
  }

  async #get(itemId: number, only?: string): Promise<SealedItem | undefined> {
    const found = await this.#find(itemId, only)
    const { listing } = this.#sequence
    if (found !== undefined || listing === undefined) return found
    const position = await findPosition(this.#context.store.reads, this.#sequence.repoId, itemId)
    if (position === undefined) return undefined
    const standing = await this.#context.catchUp.reach(listing, this.#context.budgets.whole)
    requireSeen(standing, position)
    this.#seen = standing.current
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
      preparePlainReads(prepare, { repoId, listingId: row?.id }, this.#show(only)),
    )
  }
}
