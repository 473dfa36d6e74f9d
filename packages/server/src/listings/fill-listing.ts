import { sql } from 'kysely'
import { nextPositions, type Expression } from '../store/expressions.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { keysTable, membersTable } from '../store/listing-tables.ts'
import { prepareChange } from '../store/prepare.ts'
import type { Db } from '../store/store.ts'
import { baseSql } from '../language/base-sql.ts'
import { filterSql } from '../language/filter-sql.ts'
import { PathJoins } from '../language/path-joins.ts'
import type { Listing } from '../language/sequence.ts'
import { sortKeySql } from '../language/sort-key-sql.ts'

/** One window of a base, by positions of the repository, from `from` to below `to`. */
type FillWindow = {
  from: number
  to: number
  /** How many items the listing has already. */
  count: number
  /** The last key of the base that counts; undefined when all do. */
  bound: Uint8Array | undefined
}

/** Adds what a view keeps of one window to its listing; returns how many items that was. */
export type Fill = (on: Db, window: FillWindow) => Promise<number>

type Parameters = { from: number; to: number; count: number; bound: Uint8Array | null }

type Ids = { listingId: number; baseListingId: number | undefined }

/** Queries that are kept prepared. */
const keptMax = 500

/** The fills of listings, prepared once. */
export class Fills {
  readonly #db: Db
  readonly #kept = new LruCache<string, Fill>(keptMax)

  constructor(db: Db) {
    this.#db = db
  }

  get(listing: Listing, ids: Ids): Fill {
    const key = `${ids.listingId} ${ids.baseListingId}`
    return this.#kept.get(key, () => prepareFill(this.#db, listing, ids))
  }
}

/** SQL for the items that a listing has of its base: the root and the sort key of one, and the rows of a window. */
export function listingSql(listing: Listing, baseListingId: number | undefined) {
  const { clauses, base, baseName, definitions } = listing
  const joins = new PathJoins(baseName, definitions)
  const { from, root, key, within } = baseSql(base, baseListingId)
  const keeps = filterSql(clauses, joins)
  const sortKey = sortKeySql(
    clauses.order,
    key === undefined ? { position: root } : { baseKey: key },
    joins,
  )
  const rows = (window: { from: Expression; to: Expression; bound: Expression }) => {
    const inWindow = sql`${root} >= ${window.from} and ${root} < ${window.to}`
    const inBound = key === undefined ? sql`` : sql`and ${key} <= coalesce(${window.bound}, ${key})`
    return sql`from ${from} ${joins.sql} where ${inWindow} ${inBound} and ${within} and ${keeps}`
  }
  return { root, sortKey, rows }
}

/** Prepares to fill a listing, all in SQL, from the listing of its base where that has one. */
function prepareFill(db: Db, listing: Listing, { listingId, baseListingId }: Ids): Fill {
  const { root, sortKey, rows } = listingSql(listing, baseListingId)
  const prepare = (isBegun: boolean) =>
    prepareChange<Parameters>(db, (slot) => {
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
  return (on, { bound = null, ...window }) => {
    const fill = window.count > 0 ? goOn : begin
    return fill(on, { ...window, bound })
  }
}
