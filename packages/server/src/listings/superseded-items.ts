import { sql } from 'kysely'
import { firstWhere } from '../runtime/binary-search.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import type { Expression } from '../store/expressions.ts'
import { keysTable, membersTable } from '../store/listing-tables.ts'
import type { Store } from '../store/store.ts'
import { Gaps } from './gaps.ts'
import type { OrderBlocks } from './order-blocks.ts'

/** Lists of places or keys that are kept in memory. */
const keptMax = 200

/** The state of a repository in which items do not hold any more, and how many of its items a listing has scanned then. */
type Reach = { at: number; scanned: number }

/**
 * Superseded items of repositories, by their places in what is read: items that another one replaces, or that withdraw
 * another. Which they are only ever becomes more, so that lists of them are gone on with.
 */
export class SupersededItems {
  readonly #store: Store
  readonly #places = new LruCache<string, GrowingList<number>>(keptMax)
  readonly #keys = new LruCache<string, GrowingList<Uint8Array>>(keptMax)
  readonly #byKeys = new WeakMap<readonly Uint8Array[], SupersededKeys>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Returns those of a repository by their positions; `end` tells a state that it was in from what it is in now. */
  async inRepo(repoId: number, { at, end }: { at: number; end: number }): Promise<Gaps> {
    const list = this.#places.get(`${repoId} ${end}`, () =>
      this.#prepare<number>(repoId, {
        value: sql.ref('superseded.position'),
        joined: sql``,
        compare: (a, b) => a - b,
      }),
    )
    return new Gaps(await list.upTo({ at, scanned: at }))
  }

  /** Returns those of a listing of members by their places in it. */
  async inMembers(
    { repoId, listingId }: { repoId: number; listingId: number },
    { end, ...reach }: Reach & { end: number },
  ): Promise<Gaps> {
    const list = this.#places.get(`${repoId} ${end} ${listingId}`, () =>
      this.#prepare<number>(repoId, {
        value: sql.ref('m.position'),
        joined: sql`join ${membersTable(listingId)} as m on m.root = superseded.position`,
        compare: (a, b) => a - b,
      }),
    )
    return new Gaps(await list.upTo(reach))
  }

  /** Returns those of a listing in order by their sort keys. */
  async inOrder(
    { repoId, listingId }: { repoId: number; listingId: number },
    { end, ...reach }: Reach & { end: number },
  ): Promise<SupersededKeys> {
    const list = this.#keys.get(`${listingId} ${end}`, () =>
      this.#prepare<Uint8Array>(repoId, {
        value: sql.ref('k.key'),
        joined: sql`join ${keysTable(listingId)} as k on k.root = superseded.position`,
        compare: (a, b) => Buffer.compare(a, b),
      }),
    )
    const keys = await list.upTo(reach)
    const superseded = this.#byKeys.get(keys) ?? new SupersededKeys(keys)
    this.#byKeys.set(keys, superseded)
    return superseded
  }

  #prepare<T>(
    repoId: number,
    {
      value,
      joined,
      compare,
    }: { value: Expression; joined: Expression; compare: (a: T, b: T) => number },
  ): GrowingList<T> {
    type Parameters = Reach & { fromAt: number; fromScanned: number }
    const select = this.#store.prepareInWorker<Parameters, [value: T]>(
      (slot) => sql`
        select ${value} as value from superseded ${joined}
        where superseded.dataset_id = ${repoId}
          and superseded.since < ${slot('at')} and superseded.position < ${slot('scanned')}
          and (superseded.since >= ${slot('fromAt')} or superseded.position >= ${slot('fromScanned')})
        order by value`,
    )
    return new GrowingList(async (from, to) => {
      const rows = await select({ ...to, fromAt: from.at, fromScanned: from.scanned })
      return rows.map(([each]) => each)
    }, compare)
  }
}

/** Sort keys of a listing whose items are left out. */
export class SupersededKeys {
  readonly #keys: readonly Uint8Array[]
  #last: { blocks: OrderBlocks; counted: OrderBlocks } | undefined

  constructor(keys: readonly Uint8Array[]) {
    this.#keys = keys
  }

  get count(): number {
    return this.#keys.length
  }

  /** Counts those at or below a key. */
  upTo(key: Uint8Array): number {
    return firstWhere(this.#keys.length, (at) => Buffer.compare(this.#keys[at]!, key) > 0)
  }

  /** Returns blocks that count what is not left out. */
  outOf(blocks: OrderBlocks): OrderBlocks {
    if (this.#keys.length === 0) return blocks
    if (this.#last?.blocks !== blocks) {
      this.#last = { blocks, counted: blocks.without(this.#keys) }
    }
    return this.#last.counted
  }
}

/** List in order that is loaded as far as it is needed; a new one when it has grown. */
class GrowingList<T> {
  readonly #select: (from: Reach, to: Reach) => Promise<T[]>
  readonly #compare: (a: T, b: T) => number
  #loaded: { reach: Reach; values: readonly T[] } = { reach: { at: 0, scanned: 0 }, values: [] }

  constructor(select: (from: Reach, to: Reach) => Promise<T[]>, compare: (a: T, b: T) => number) {
    this.#select = select
    this.#compare = compare
  }

  async upTo(reach: Reach): Promise<readonly T[]> {
    const { reach: from, values } = this.#loaded
    if (isSame(from, reach)) return values
    // Who looked a moment ago may come to read when others have looked further.
    if (!isWithin(from, reach)) return this.#select({ at: 0, scanned: 0 }, reach)
    const more = await this.#select(from, reach)
    const all = more.length === 0 ? values : this.#merge(values, more)
    if (isWithin(this.#loaded.reach, reach)) this.#loaded = { reach, values: all }
    return all
  }

  #merge(a: readonly T[], b: readonly T[]): T[] {
    const merged: T[] = []
    let [atA, atB] = [0, 0]
    while (atA < a.length && atB < b.length) {
      merged.push(this.#compare(a[atA]!, b[atB]!) < 0 ? a[atA++]! : b[atB++]!)
    }
    for (; atA < a.length; atA += 1) merged.push(a[atA]!)
    for (; atB < b.length; atB += 1) merged.push(b[atB]!)
    return merged
  }
}

function isSame(a: Reach, b: Reach): boolean {
  return a.at === b.at && a.scanned === b.scanned
}

function isWithin(a: Reach, b: Reach): boolean {
  return a.at <= b.at && a.scanned <= b.scanned
}
