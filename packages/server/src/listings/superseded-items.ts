import { sql } from 'kysely'
import { firstWhere } from '../runtime/binary-search.ts'
import type { Expression } from '../store/expressions.ts'
import { keysTable, membersTable } from '../store/listing-tables.ts'
import { findListing } from '../store/listings.ts'
import type { Store } from '../store/store.ts'
import { Gaps } from './gaps.ts'
import type { OrderBlocks } from './order-blocks.ts'

/** Places and keys that are kept in memory: some 32 MiB, and twice that, as each key is an object of its own. */
const cacheMax = { places: 4_000_000, keys: 300_000 }

/** The state of a repository in which items do not hold any more, and how many of its items a listing has scanned then. */
type Reach = { at: number; scanned: number }

/**
 * Superseded items of repositories, by their places in what is read: items that another one replaces, or that withdraw
 * another. Which they are only ever becomes more, so that lists of them are gone on with.
 */
export class SupersededItems {
  readonly #store: Store
  readonly #places = new ListCache<number>(cacheMax.places)
  readonly #keys = new ListCache<Uint8Array>(cacheMax.keys)
  readonly #byKeys = new WeakMap<readonly Uint8Array[], SupersededKeys>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Returns those of a repository by their positions; `end` tells a state that it was in from what it is in now. */
  async inRepo(repoId: number, { at, end }: { at: number; end: number }): Promise<Gaps> {
    const source = { repoId, value: sql.ref('superseded.position'), joined: sql`` }
    const make = () => new GrowingList(this.#prepare<number>(source), (a, b) => a - b)
    const places = await this.#places.upTo(`${repoId} ${end}`, make, { at, scanned: at })
    return new Gaps(places ?? [])
  }

  /** Returns those of a listing of members by their places in it; undefined where it was let go. */
  async inMembers(
    { repoId, listingId }: { repoId: number; listingId: number },
    { end, ...reach }: Reach & { end: number },
  ): Promise<Gaps | undefined> {
    const joined = sql`join ${membersTable(listingId)} as m on m.root = superseded.position`
    const source = { repoId, listingId, value: sql.ref('m.position'), joined }
    const make = () => new GrowingList(this.#prepare<number>(source), (a, b) => a - b)
    const places = await this.#places.upTo(`${repoId} ${end} ${listingId}`, make, reach)
    return places && new Gaps(places)
  }

  /** Returns those of a listing in order by their sort keys; undefined where it was let go. */
  async inOrder(
    { repoId, listingId }: { repoId: number; listingId: number },
    { end, ...reach }: Reach & { end: number },
  ): Promise<SupersededKeys | undefined> {
    const joined = sql`join ${keysTable(listingId)} as k on k.root = superseded.position`
    const source = { repoId, listingId, value: sql.ref('k.key'), joined }
    const make = () => new GrowingList(this.#prepare<Uint8Array>(source), compareKeys)
    const keys = await this.#keys.upTo(`${listingId} ${end}`, make, reach)
    if (keys === undefined) return undefined
    const superseded = this.#byKeys.get(keys) ?? new SupersededKeys(keys)
    this.#byKeys.set(keys, superseded)
    return superseded
  }

  /** Drops what is in memory, to be read again. */
  forget(): void {
    this.#places.clear()
    this.#keys.clear()
  }

  #prepare<T>({
    repoId,
    listingId,
    value,
    joined,
  }: {
    repoId: number
    listingId?: number
    value: Expression
    joined: Expression
  }): Select<T> {
    const { prepareInWorker, reads } = this.#store
    type Parameters = Reach & { fromAt: number; fromScanned: number }
    const select = prepareInWorker<Parameters, [value: T]>(
      (slot) => sql`
        select ${value} as value from superseded ${joined}
        where superseded.dataset_id = ${repoId}
          and superseded.since < ${slot('at')} and superseded.position < ${slot('scanned')}
          and (superseded.since >= ${slot('fromAt')} or superseded.position >= ${slot('fromScanned')})
        order by value`,
    )
    return async (from, to) => {
      const rows = await select({ ...to, fromAt: from.at, fromScanned: from.scanned })
      // One that was let go is emptied while it may still be read.
      const isThere =
        listingId === undefined || (await findListing(reads, listingId))?.state !== 'dropped'
      return isThere ? rows.map(([each]) => each) : undefined
    }
  }
}

function compareKeys(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
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

/** Reads the values that came between two reaches, in order; undefined where what they stand in is gone. */
type Select<T> = (from: Reach, to: Reach) => Promise<T[] | undefined>

/** Cache of lists with a bound on their values; drops those used longest ago. */
class ListCache<T> {
  readonly #max: number
  readonly #byName = new Map<string, GrowingList<T>>()

  /** @param max values of all lists, but for the one that was used last */
  constructor(max: number) {
    this.#max = max
  }

  async upTo(
    name: string,
    make: () => GrowingList<T>,
    reach: Reach,
  ): Promise<readonly T[] | undefined> {
    const list = this.#byName.get(name) ?? make()
    this.#byName.delete(name)
    this.#byName.set(name, list)
    const { length } = list
    const values = await list.upTo(reach)
    if (list.length > length) this.#trim()
    return values
  }

  clear(): void {
    this.#byName.clear()
  }

  #trim(): void {
    let count = 0
    for (const [index, [name, { length }]] of [...this.#byName].toReversed().entries()) {
      count += length
      if (count > this.#max && index > 0) this.#byName.delete(name)
    }
  }
}

/** List in order that is loaded as far as it is needed; a new one when it has grown. */
class GrowingList<T> {
  readonly #select: Select<T>
  readonly #compare: (a: T, b: T) => number
  #loaded: { reach: Reach; values: readonly T[] } = { reach: { at: 0, scanned: 0 }, values: [] }

  constructor(select: Select<T>, compare: (a: T, b: T) => number) {
    this.#select = select
    this.#compare = compare
  }

  get length(): number {
    return this.#loaded.values.length
  }

  async upTo(reach: Reach): Promise<readonly T[] | undefined> {
    const { reach: from, values } = this.#loaded
    if (isSame(from, reach)) return values
    // Who looked a moment ago may come to read when others have looked further.
    if (!isWithin(from, reach)) return this.#select({ at: 0, scanned: 0 }, reach)
    const more = await this.#select(from, reach)
    if (more === undefined) return undefined
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
