import { sql } from 'kysely'
import { listingColumns, toListing, type ListingCells, type ListingRow } from '../store/listings.ts'
import type { Prepared } from '../store/prepare.ts'
import { ownerKey, sequenceEnd, type OrderedSequence } from '../language/sequence.ts'
import { readReached } from './base-reach.ts'
import type { ListingContext } from './listing-context.ts'
import type { CurrentKeys } from './order-index.ts'

/** An ordered sequence as it is at one time: a listing up to a key. */
export type OrderCursor = {
  row: ListingRow
  /** The last key that the bounds let in; undefined when they keep nothing out. */
  bound: Uint8Array | undefined
  /** Items up to there, of a current sequence those that hold. */
  count: number
  /** Keys of a current sequence. */
  current?: CurrentKeys
  /** Whether the listings of the bounds are all at the same place, without which a key says little. */
  isAtRest: boolean
}

type CursorContext = Pick<ListingContext, 'store' | 'indexes' | 'superseded'>

/** Looks at an ordered sequence; what was found is kept until one of its listings has changed. */
export class OrderCursors {
  readonly #listingContext: CursorContext
  readonly #sequence: OrderedSequence
  readonly #selectRows: Prepared<object, ListingCells>
  readonly #listings: number
  readonly #asksForCurrent: boolean
  #last: { version: number; state: string; cursor: OrderCursor } | undefined

  constructor(listingContext: CursorContext, sequence: OrderedSequence) {
    this.#listingContext = listingContext
    this.#sequence = sequence
    this.#asksForCurrent = [sequence, ...sequence.bounds].some(({ isCurrent }) => isCurrent)
    const listings = [sequence.listing, ...sequence.bounds.map(({ listing }) => listing)]
    const owners = new Map(listings.map(({ owner }) => [ownerKey(owner), owner]))
    this.#listings = owners.size
    const isOneOf = [...owners.values()].map(
      ({ datasetId, exploration }) =>
        sql`(dataset_id = ${datasetId} and exploration = ${exploration})`,
    )
    this.#selectRows = listingContext.store.prepare(
      () => sql`
        select ${listingColumns} from listings
        where (${sql.join(isOneOf, sql` or `)}) and state = 'current'
        order by dataset_id, exploration`,
    )
  }

  /** Undefined while one of the listings is not in use, and `moving` when one changed meanwhile. */
  async look(): Promise<OrderCursor | 'moving' | undefined> {
    const version = this.#listingContext.store.version()
    if (this.#last?.version === version) return this.#last.cursor
    const rows = await this.#rows()
    if (rows.length < this.#listings) return undefined
    const at = this.#asksForCurrent ? await this.#stateAt(rows) : undefined
    const state = `${stateOf(rows)} ${at}`
    if (this.#last?.state !== state) {
      const cursor = await this.#see(rows, at)
      if (cursor === undefined || `${stateOf(await this.#rows())} ${at}` !== state) return 'moving'
      this.#last = { version, state, cursor }
    }
    this.#last = { ...this.#last, version }
    return this.#last.cursor
  }

  async #rows(): Promise<ListingRow[]> {
    return (await this.#selectRows({})).map(toListing)
  }

  /** Returns the state of the repository that the listing has come to. */
  async #stateAt(rows: readonly ListingRow[]): Promise<number> {
    const { repoId, listing } = this.#sequence
    const { owner } = listing
    const { scanned } = rows.find((row) => ownerKey(ownerOf(row)) === ownerKey(owner))!
    const reached = await readReached(this.#listingContext.store.reads, repoId, { scanned })
    return Math.min(reached, sequenceEnd(this.#sequence))
  }

  /** @param at state whose current items are seen, where any are */
  async #see(
    rows: readonly ListingRow[],
    at: number | undefined,
  ): Promise<OrderCursor | undefined> {
    const { listing, bounds, isCurrent } = this.#sequence
    const { store, indexes } = this.#listingContext
    const byOwner = new Map(rows.map((row) => [ownerKey(ownerOf(row)), row]))
    let bound: Uint8Array | undefined
    for (const { listing: bounded, limit, isCurrent: countsCurrent } of bounds) {
      const boundedRow = byOwner.get(ownerKey(bounded.owner))!
      const { id, version, count } = boundedRow
      const keys = countsCurrent ? await this.#currentKeys(boundedRow, at!) : undefined
      if (countsCurrent && keys === undefined) return undefined
      if (count - (keys?.superseded.count ?? 0) < limit) continue
      const blocks = await indexes.get(id).blocks(store.reads, version)
      const key = blocks && (await indexes.get(id).keyAt(blocks, limit - 1, keys))
      if (key === undefined) return undefined
      if (bound === undefined || Buffer.compare(key, bound) < 0) bound = key
    }
    const row = byOwner.get(ownerKey(listing.owner))!
    const isAtRest = rows.every(({ scanned }) => scanned === row.scanned)
    const current = isCurrent ? await this.#currentKeys(row, at!) : undefined
    if (isCurrent && current === undefined) return undefined
    if (bound === undefined) {
      const count = row.count - (current?.superseded.count ?? 0)
      return { row, bound, count, isAtRest, ...(current && { current }) }
    }
    const blocks = await indexes.get(row.id).blocks(store.reads, row.version)
    if (blocks === undefined) return undefined
    const all = await indexes.get(row.id).countUpTo(blocks, bound)
    const count = all - (current?.superseded.upTo(bound) ?? 0)
    return { row, bound, count, isAtRest, ...(current && { current }) }
  }

  async #currentKeys(
    { id: listingId, scanned }: ListingRow,
    at: number,
  ): Promise<CurrentKeys | undefined> {
    const { repoId } = this.#sequence
    const superseded = await this.#listingContext.superseded.inOrder(
      { repoId, listingId },
      { at, scanned, end: sequenceEnd(this.#sequence) },
    )
    return superseded && { repoId, at, superseded }
  }
}

function ownerOf({ dataset_id: datasetId, exploration }: ListingRow) {
  return { datasetId, exploration }
}

/** Tells the states of some listings apart. */
function stateOf(rows: readonly ListingRow[]): string {
  return rows.map(({ id, version, scanned }) => `${id} ${version} ${scanned}`).join()
}
