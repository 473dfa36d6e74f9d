import type { Item, SealedItem } from '@vitrine/contract'
import { Kept } from '../store/kept.ts'
import { findListings, readHead, type ListingRow } from '../store/listings.ts'
import { answer, type Answer, type ItemReader, type Page } from './answer.ts'
import { findPosition, requireSeen } from './item-position.ts'
import { everywhere, preparePlainReads, type PlainReads } from './plain-reads.ts'
import type { ReadContext } from './read-context.ts'
import type { Listing, PlainSequence } from './sequence.ts'
import type { Shown } from './shown-fields.ts'

/** Reads a plain sequence: pages are ranges of positions. */
export class PlainReader implements ItemReader {
  readonly #context: ReadContext
  readonly #sequence: PlainSequence
  readonly #show: (only?: string) => Shown
  readonly #reads = new Kept<string, PlainReads>(8)
  readonly #limit: number
  /** The listing when it was last seen. Since then it has only grown. */
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
    if (listing === undefined) return { value: await this.#readsOf(undefined).range({ from, to }) }
    // A page that is full stays as it is.
    if (this.#seen !== undefined && this.#seen.count >= to) {
      return { value: await this.#readsOf(this.#seen).range({ from, to }) }
    }
    const standing = await this.#context.catchUp.reach(listing, this.#context.budgets.partial)
    this.#seen = standing.current
    if (this.#seen === undefined) return answer([], standing)
    return answer(await this.#readsOf(this.#seen).range({ from, to }), standing)
  }

  async count(): Promise<Answer<number>> {
    const { listing, repoId, limit } = this.#sequence
    const { store, catchUp, budgets } = this.#context
    if (listing === undefined) {
      return { value: Math.min(await readHead(store.reads, repoId), limit) }
    }
    if (this.#seen !== undefined && this.#seen.count >= limit) return { value: limit }
    const standing = await catchUp.reach(listing, budgets.partial)
    this.#seen = standing.current
    return answer(Math.min(this.#seen?.count ?? 0, limit), standing)
  }

  get(itemId: number): Promise<SealedItem | undefined> {
    return this.#get(itemId)
  }

  getField(fieldName: string, itemId: number): Promise<SealedItem | undefined> {
    return this.#get(itemId, fieldName)
  }

  async has(itemId: number): Promise<boolean> {
    return (await this.#find(itemId)) !== undefined
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

  async #look({ viewId }: Listing): Promise<ListingRow | undefined> {
    return (await findListings(this.#context.store.reads, viewId)).current
  }

  #readsOf(row: ListingRow | undefined, only?: string): PlainReads {
    const { repoId } = this.#sequence
    const { prepare } = this.#context.store
    return this.#reads.get(`${row?.id} ${only}`, () =>
      preparePlainReads(prepare, { repoId, listingId: row?.id }, this.#show(only)),
    )
  }
}
