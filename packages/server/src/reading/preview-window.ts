import type { CheckedView } from '@vitrine/contract'
import { sql } from 'kysely'
import { negated, type Expression } from '../store/expressions.ts'
import type { Prepare } from '../store/prepare.ts'
import { baseSql } from '../language/base-sql.ts'
import type { Definitions } from '../language/definitions.ts'
import { filterSql } from '../language/filter-sql.ts'
import { PathJoins } from '../language/path-joins.ts'
import { predicateSql } from '../language/predicate-sql.ts'
import type { PreviewSource } from '../views/preview-source.ts'
import type { Sequence } from '../language/sequence.ts'
import { sortKeySql } from '../views/sort-key-sql.ts'
import { splitSql } from '../views/split-sql.ts'

/** An item that a view would show: its position in the repository, and its sort key if there are any. */
export type Found = [root: number, key: Uint8Array | null]

type Window = { from: number; to: number }

/** Looks at the items of one window of positions in the repository. */
export type LookAt = {
  /** How many pass no clause, exactly the first one, exactly the first two, and so on. */
  countByClauses: (window: Window) => Promise<number[]>
  /** The first ones of those that pass all. */
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
  const inWindow = (slot: (name: 'from' | 'to') => Expression) =>
    sql`${root} >= ${slot('from')} and ${root} < ${slot('to')} ${inBound} and ${within}`

  const joins = new PathJoins(view.description.base, definitions)
  const tests = view.where.map(({ predicate }) => predicateSql(predicate, joins))
  if (view.split !== undefined) tests.push(splitSql(view.split, joins))
  const failed = tests.map((test, index) => sql`when ${negated(test)} then ${sql.lit(index)}`)
  const passed =
    tests.length === 0 ? sql.lit(0) : sql`case ${sql.join(failed, sql` `)} else ${tests.length} end`
  const count = prepare<Window, [passed: number, count: number]>(
    (slot) => sql`
      select ${passed} as passed, count(*) as count from ${from} ${joins.sql}
      where ${inWindow(slot)} group by 1`,
  )

  const found = new PathJoins(view.description.base, definitions)
  const keeps = filterSql(view, found)
  const sorted = key !== undefined || view.order.length > 0
  const ties = key === undefined ? { position: root } : { baseKey: key }
  const sortKey = sorted ? sortKeySql(view.order, ties, found) : sql`null`
  const find = prepare<Window & { wanted: number }, Found>(
    (slot) => sql`
      select ${root} as root, ${sortKey} as key from ${from} ${found.sql}
      where ${inWindow(slot)} and ${keeps} order by 2, 1 limit ${slot('wanted')}`,
  )
  return {
    countByClauses: async (window) => {
      const counts = Array<number>(tests.length + 1).fill(0)
      for (const [clauses, items] of await count(window)) counts[clauses] = items
      return counts
    },
    find,
  }
}
