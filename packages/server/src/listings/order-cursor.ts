import { sql } from 'kysely'
import { listingColumns, toListing, type ListingCells, type ListingRow } from '../store/listings.ts'
import type { Prepared } from '../store/prepare.ts'
import type { Store } from '../store/store.ts'
import { ownerKey, type OrderedSequence } from '../language/sequence.ts'
import type { OrderIndexes } from './order-index.ts'

/** An ordered sequence as it is at one time: a listing up to a key. */
export type OrderCursor = {
  row: ListingRow
  /** The last key that the bounds let in; undefined when they keep nothing out. */
  bound: Uint8Array | undefined
  /** Items up to there. */
  count: number
  /** Whether the listings of the bounds are all at the same place, without which a key says little. */
  isAtRest: boolean
}

/** Looks at an ordered sequence; what was found is kept until one of its listings has changed. */
export class OrderCursors {
  readonly #listingContext: { store: Store; indexes: OrderIndexes }
  readonly #sequence: OrderedSequence
  readonly #selectRows: Prepared<object, ListingCells>
  readonly #listings: number
  #last: { version: number; state: string; cursor: OrderCursor } | undefined

  constructor(listingContext: { store: Store; indexes: OrderIndexes }, sequence: OrderedSequence) {
    this.#listingContext = listingContext
    this.#sequence = sequence
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
    const state = stateOf(rows)
    if (this.#last?.state !== state) {
      const cursor = await this.#see(rows)
      if (cursor === undefined || stateOf(await this.#rows()) !== state) return 'moving'
      this.#last = { version, state, cursor }
    }
    this.#last = { ...this.#last, version }
    return this.#last.cursor
  }

  async #rows(): Promise<ListingRow[]> {
    return (await this.#selectRows({})).map(toListing)
  }

  async #see(rows: readonly ListingRow[]): Promise<OrderCursor | undefined> {
    const { listing, bounds } = this.#sequence
    const { store, indexes } = this.#listingContext
    const byOwner = new Map(
      rows.map((row) => [
        ownerKey({ datasetId: row.dataset_id, exploration: row.exploration }),
        row,
      ]),
    )
    let bound: Uint8Array | undefined
    for (const { listing: bounded, limit } of bounds) {
      const { id, version, count } = byOwner.get(ownerKey(bounded.owner))!
      if (count < limit) continue
      const blocks = await indexes.get(id).blocks(store.reads, version)
      const key = blocks && (await indexes.get(id).keyAt(blocks, limit - 1))
      if (key === undefined) return undefined
      if (bound === undefined || Buffer.compare(key, bound) < 0) bound = key
    }
    const row = byOwner.get(ownerKey(listing.owner))!
    const isAtRest = rows.every(({ scanned }) => scanned === row.scanned)
    if (bound === undefined) return { row, bound, count: row.count, isAtRest }
    const blocks = await indexes.get(row.id).blocks(store.reads, row.version)
    if (blocks === undefined) return undefined
    const count = await indexes.get(row.id).countUpTo(blocks, bound)
    return { row, bound, count, isAtRest }
  }
}

/** Tells the states of some listings apart. */
function stateOf(rows: readonly ListingRow[]): string {
  return rows.map(({ id, version, scanned }) => `${id} ${version} ${scanned}`).join()
}
