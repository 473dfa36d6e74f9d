import type { CheckedView, ViewField } from '@vitrine/contract'
import { sql } from 'kysely'
import { type Expression, negated } from '../store/expressions.ts'
import type { Prepare } from '../store/prepare.ts'
import { isSuperseded } from '../store/superseded.ts'
import { baseSql } from '../language/base-sql.ts'
import type { Definitions } from '../language/definitions.ts'
import { filterSql, splitSql } from '../language/filter-sql.ts'
import { PathJoins } from '../language/path-joins.ts'
import { predicateSql } from '../language/predicate-sql.ts'
import type { Sequence } from '../language/sequence.ts'
import { sortKeySql } from '../language/sort-key-sql.ts'
import { type BaseReach, readBaseReach } from '../listings/base-reach.ts'
import { OrderCursors } from '../listings/order-cursor.ts'
import type { ListingContext } from '../listings/listing-context.ts'

/** An item that a view would show: its position in the repository, and its sort key if there are any. */
export type Found = [root: number, key: Uint8Array | null]

type Window = { from: number; to: number }

export type Counted = {
  /** How many items pass no clause, exactly the first one, exactly the first two, and so on. */
  byClauses: number[]
  /** Values of the items that pass all clauses which cannot be cast, by the view's casts. */
  unparsed: number[]
}

/** Looks at the items of one window of positions in the repository. */
export type LookAt = {
  count: (window: Window) => Promise<Counted>
  /** The first items that pass all clauses. */
  find: (window: Window & { wanted: number }) => Promise<Found[]>
}

export function prepareLook(
  prepare: Prepare,
  {
    view,
    base,
    definitions,
    source,
  }: { view: CheckedView; base: Sequence; definitions: Definitions; source: PreviewSource },
): LookAt {
  const { from, root, key, within } = baseSql(base, source.listingId)
  const inBound = key === undefined ? sql`` : sql`and ${key} <= coalesce(${source.bound}, ${key})`
  // What superseded an item after the last one that did is none of the items that are looked at.
  const holds = sql`not ${isSuperseded(base.repoId, root, sql`${(source.lastSince ?? -1) + 1}`)}`
  const ofBase = base.isCurrent ? sql`and ${holds}` : sql``
  const inWindow = (slot: (name: 'from' | 'to') => Expression) =>
    sql`${root} >= ${slot('from')} and ${root} < ${slot('to')} ${inBound} and ${within} ${ofBase}`

  const joins = new PathJoins(view.base.name, definitions)
  const tests = view.current ? [holds] : []
  tests.push(...view.where.map(({ predicate }) => predicateSql(predicate, joins)))
  if (view.split !== undefined) tests.push(splitSql(view.split, joins))
  const failed = tests.map((test, index) => sql`when ${negated(test)} then ${sql.lit(index)}`)
  const passed =
    tests.length === 0 ? sql.lit(0) : sql`case ${sql.join(failed, sql` `)} else ${tests.length} end`
  const unparsed = castsOf(view).map(
    (field) => sql`sum(case when ${joins.isUnparsed(field)} then 1 else 0 end)`,
  )
  const counts = sql.join([passed, sql`count(*)`, ...unparsed])
  const count = prepare<Window, [passed: number, count: number, ...unparsed: number[]]>(
    (slot) => sql`
      select ${counts} from ${from} ${joins.sql} where ${inWindow(slot)} group by 1`,
  )

  const findJoins = new PathJoins(view.base.name, definitions)
  const filter = filterSql(view, findJoins)
  const keeps = view.current ? sql`${holds} and ${filter}` : filter
  const sorted = key !== undefined || view.order.length > 0
  const sortKey = sorted
    ? sortKeySql(view.order, { position: root, baseKey: key }, findJoins)
    : sql`null`
  const find = prepare<Window & { wanted: number }, Found>(
    (slot) => sql`
      select ${root} as root, ${sortKey} as key from ${from} ${findJoins.sql}
      where ${inWindow(slot)} and ${keeps} order by 2, 1 limit ${slot('wanted')}`,
  )
  return {
    count: async (window) => {
      const byClauses = Array<number>(tests.length + 1).fill(0)
      const unparsedByCast = unparsed.map(() => 0)
      for (const [clauses, items, ...failed] of await count(window)) {
        byClauses[clauses] = items
        if (clauses === tests.length) unparsedByCast.splice(0, Infinity, ...failed.map(Number))
      }
      return { byClauses, unparsed: unparsedByCast }
    },
    find,
  }
}

/** The fields of a view that it casts. */
export function castsOf({ fields }: Pick<CheckedView, 'fields'>): ViewField[] {
  return fields.filter(({ isCast }) => isCast)
}

/** The base of a preview, as far as it has been listed. */
export type PreviewSource = BaseReach & {
  /** The last key that counts; null when all do. */
  bound: Uint8Array | null
  /** Position of the last item that superseded another, where current items are looked at. */
  lastSince?: number | null | undefined
}

/** Undefined while nothing is known of the base, or not which of it counts. */
export async function readPreviewSource(
  listingContext: ListingContext,
  base: Sequence,
): Promise<PreviewSource | undefined> {
  const reach = await readBaseReach(listingContext.store.reads, base)
  if (reach === undefined || base.kind === 'plain') return reach && { ...reach, bound: null }
  const cursor = await new OrderCursors(listingContext, base).look()
  if (cursor === undefined || cursor === 'moving' || !cursor.isAtRest) return undefined
  // The listing in use is what reaches there.
  return { ...reach, bound: cursor.bound ?? null }
}
