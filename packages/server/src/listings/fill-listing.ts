import { sql } from 'kysely'
import { implied, nextPositions, type Expression } from '../store/expressions.ts'
import { itemRow } from '../store/item-rows.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { keysTable, membersTable } from '../store/listing-tables.ts'
import { prepareChange } from '../store/prepare.ts'
import type { Db, Store } from '../store/store.ts'
import { isSuperseded } from '../store/superseded.ts'
import { baseSql } from '../language/base-sql.ts'
import { filterSql } from '../language/filter-sql.ts'
import { PathJoins } from '../language/path-joins.ts'
import type { Listing } from '../language/sequence.ts'
import { orderTermsSql, sortKeySql } from '../language/sort-key-sql.ts'

/** One window of a base, by positions of the repository, from `from` to below `to`. */
type FillWindow = {
  from: number
  to: number
  /** How many items the listing has already. */
  count: number
  /** The last key of the base that counts; undefined when all do. */
  bound: Uint8Array | undefined
}

/** The place of an item in the repository, and in an order its key. */
type ListedRow = [root: number, key?: Uint8Array]

/** Adds what a view keeps of a base to its listing. */
export type Fill = {
  /** Adds what it keeps of one window; returns how many items that was. @throws TooMuchText */
  window: (on: Db, window: FillWindow) => Promise<number>
  /** Reads what it keeps of one window, in a worker. */
  read: (window: Omit<FillWindow, 'count'>) => Promise<ListedRow[]>
  /** Adds what was read before to a listing of `count` items. */
  add: (on: Db, rows: readonly ListedRow[], count: number) => Promise<void>
}

type Parameters = { from: number; to: number; count: number; bound: Uint8Array | null }

type Ids = { listingId: number; baseListingId: number | undefined }

/** Rows of one statement that adds what was read. */
const insertedRows = 500

/** Queries that are kept prepared. */
const keptMax = 500

/** The fills of listings, prepared once. */
export class Fills {
  readonly #store: Store
  readonly #kept = new LruCache<string, Fill>(keptMax)

  constructor(store: Store) {
    this.#store = store
  }

  get(listing: Listing, ids: Ids): Fill {
    const key = `${ids.listingId} ${ids.baseListingId}`
    return this.#kept.get(key, () => prepareFill(this.#store, listing, ids))
  }
}

/** SQL for the items that a listing has of its base: the root and the sort key of one, and the rows of a window. */
export function listingSql(listing: Listing, baseListingId: number | undefined) {
  const { clauses, base, baseName, definitions } = listing
  const joins = new PathJoins(baseName, definitions)
  const { from, root, key, within } = baseSql(base, baseListingId)
  const keeps = filterSql(clauses, joins)
  const sortKey = sortKeySql(clauses.order, { position: root, baseKey: key }, joins)
  const terms = orderTermsSql(clauses.order, root, joins)
  const rows = (window: {
    from: Expression
    to: Expression
    bound: Expression
    /** State whose current items alone are read; all when left out. */
    currentAt?: Expression | undefined
  }) => {
    const isWithin = (at: Expression) => sql`${at} >= ${window.from} and ${at} < ${window.to}`
    const inWindow = sql`${isWithin(root)} and ${implied(isWithin(itemRow('position')))}`
    const inBound = key === undefined ? sql`` : sql`and ${key} <= coalesce(${window.bound}, ${key})`
    const { currentAt } = window
    const holds =
      currentAt === undefined ? sql`` : sql`and not ${isSuperseded(base.repoId, root, currentAt)}`
    return sql`
      from ${from} ${joins.sql}
      where ${inWindow} ${inBound} and ${within} ${holds} and ${keeps}`
  }
  /** The first rows of a window in the order of the listing, with their keys; its base has none. */
  const firstRows = (
    window: { from: Expression; to: Expression; currentAt?: Expression | undefined },
    limit: number,
  ) => sql`
    select ${root}, ${sortKey} from ${from} ${joins.sql} where ${root} in (
      select ${root} ${rows({ ...window, bound: sql`null` })} order by ${terms} limit ${sql.lit(limit)})`
  return { root, sortKey, rows, firstRows }
}

/** Prepares to fill a listing, all in SQL, from the listing of its base where that has one. */
function prepareFill(
  { reads, prepareInWorker }: Store,
  listing: Listing,
  { listingId, baseListingId }: Ids,
): Fill {
  const { root, sortKey, rows } = listingSql(listing, baseListingId)
  const prepare = (isBegun: boolean) =>
    prepareChange<Parameters>(reads, (slot) => {
      const window = { from: slot('from'), to: slot('to'), bound: slot('bound') }
      const inOrder = sql`${rows(window)} order by ${root}`
      if (listing.kind !== 'members') {
        return sql`
          insert into ${keysTable(listingId)} (root, key) select ${root}, ${sortKey} ${inOrder}`
      }
      const position = nextPositions({ count: slot('count'), by: root, isBegun })
      return sql`
        insert into ${membersTable(listingId)} (position, root)
        select ${position}, ${root} ${inOrder}`
    })
  const [begin, goOn] = [prepare(false), prepare(true)]
  const read = prepareInWorker<Omit<Parameters, 'count'>, ListedRow>((slot) => {
    const window = { from: slot('from'), to: slot('to'), bound: slot('bound') }
    const columns = listing.kind === 'members' ? root : sql`${root}, ${sortKey}`
    return sql`select ${columns} ${rows(window)} order by ${root}`
  })
  return {
    window: (on, { bound = null, ...window }) => {
      const fill = window.count > 0 ? goOn : begin
      return fill(on, { ...window, bound })
    },
    read: ({ bound = null, ...window }) => read({ ...window, bound }),
    add: async (on, listed, count) => {
      for (let at = 0; at < listed.length; at += insertedRows) {
        const some = listed.slice(at, at + insertedRows)
        const into =
          listing.kind === 'members'
            ? sql`${membersTable(listingId)} (position, root)`
            : sql`${keysTable(listingId)} (root, key)`
        const values = some.map(([place, key], index) =>
          key === undefined ? sql`(${count + at + index}, ${place})` : sql`(${place}, ${key})`,
        )
        await sql`insert into ${into} values ${sql.join(values)}`.execute(on)
      }
    },
  }
}
