import { sql } from 'kysely'
import { LruCache } from '../runtime/lru-cache.ts'
import { type Block, orderTable, readBlocks } from '../store/listing-tables.ts'
import { findListing } from '../store/listings.ts'
import type { Prepare, Prepared } from '../store/prepare.ts'
import type { Db, Store } from '../store/store.ts'
import { isSuperseded } from '../store/superseded.ts'
import { OrderBlocks } from './order-blocks.ts'
import type { SupersededKeys } from './superseded-items.ts'

/** Keys of a listing whose items hold in a state of their repository. */
export type CurrentKeys = { repoId: number; at: number; superseded: SupersededKeys }

type CurrentKeyQuery = Prepared<
  { firstKey: Uint8Array; offset: number; at: number },
  [key: Uint8Array]
>

/** Blocks loaded at once. */
const batch = 5000
/** Listings whose blocks are kept in memory. */
const keptMax = 200

/** Finds keys by rank, and ranks by key, in one listing that is in order. */
export class OrderIndex {
  readonly #listingId: number
  readonly #prepare: Prepare
  readonly #selectKey: Prepared<{ firstKey: Uint8Array; offset: number }, [key: Uint8Array]>
  readonly #count: Prepared<{ firstKey: Uint8Array; key: Uint8Array }, [count: number]>
  #selectCurrentKey: CurrentKeyQuery | undefined
  #kept: { version: number; blocks: OrderBlocks } | undefined

  constructor({ prepare }: Store, listingId: number) {
    this.#listingId = listingId
    this.#prepare = prepare
    const table = orderTable(listingId)
    this.#selectKey = prepare(
      (slot) => sql`
        select key from ${table} where key >= ${slot('firstKey')}
        order by key limit 1 offset ${slot('offset')}`,
    )
    this.#count = prepare(
      (slot) => sql`
        select count(*) as count from ${table}
        where key >= ${slot('firstKey')} and key <= ${slot('key')}`,
    )
  }

  /** The blocks of a version; undefined when the listing is at another one. */
  async blocks(on: Db, version: number): Promise<OrderBlocks | undefined> {
    if (this.#kept?.version === version) return this.#kept.blocks
    const blocks: Block[] = []
    for (;;) {
      const after = blocks.at(-1)?.firstKey
      const more = await readBlocks(on, this.#listingId, { after, limit: batch })
      blocks.push(...more)
      if (more.length < batch) break
      await new Promise(setImmediate)
    }
    // What was read in several parts is one version's when that was so before and is after.
    const row = await findListing(on, this.#listingId)
    if (row?.version !== version) return undefined
    const loaded = OrderBlocks.of(blocks)
    this.keep(version, loaded)
    return loaded
  }

  keep(version: number, blocks: OrderBlocks): void {
    if (this.#kept === undefined || this.#kept.version < version) this.#kept = { version, blocks }
  }

  /** The key of a rank, counted from 0, among those of all items or of current ones; undefined when it is beyond the last. */
  async keyAt(
    blocks: OrderBlocks,
    rank: number,
    current?: CurrentKeys,
  ): Promise<Uint8Array | undefined> {
    const [row] =
      current === undefined
        ? await this.#selectKey(blocks.atRank(rank))
        : await this.#currentKey(blocks, rank, current)
    return row?.[0]
  }

  #currentKey(blocks: OrderBlocks, rank: number, { repoId, at, superseded }: CurrentKeys) {
    this.#selectCurrentKey ??= this.#prepare(
      (slot) => sql`
        select key from ${orderTable(this.#listingId)} where key >= ${slot('firstKey')}
          and not ${isSuperseded(repoId, sql.ref('root'), slot('at'))}
        order by key limit 1 offset ${slot('offset')}`,
    )
    return this.#selectCurrentKey({ ...superseded.outOf(blocks).atRank(rank), at })
  }

  /** How many keys are at or below a key. */
  async countUpTo(blocks: OrderBlocks, key: Uint8Array): Promise<number> {
    const { firstKey, before } = blocks.atKey(key)
    const [row] = await this.#count({ firstKey, key })
    return before + row![0]
  }
}

/** The indexes of listings by their ids, those used last. */
export class OrderIndexes {
  readonly #store: Store
  readonly #kept = new LruCache<number, OrderIndex>(keptMax)

  constructor(store: Store) {
    this.#store = store
  }

  get(listingId: number): OrderIndex {
    return this.#kept.get(listingId, () => new OrderIndex(this.#store, listingId))
  }
}
