import { type Path, type Split, isRowField } from '@vitrine/contract'
import { sql } from 'kysely'
import { cellText } from '../store/cell-text.ts'
import { type Expression, digitsOf, splitPoint } from '../store/expressions.ts'
import type { PathJoins } from './path-joins.ts'
import { balanced, cost, predicateSql } from './predicate-sql.ts'
import type { Listing } from './sequence.ts'
import { itemRow } from '../store/item-rows.ts'

/** Whether a view keeps an item: the cheapest tests first, as most items are decided by them. */
export function filterSql(
  { where, split }: Pick<Listing['clauses'], 'where' | 'split'>,
  joins: PathJoins,
): Expression {
  const tests = where.flatMap(({ predicate }) =>
    predicate.kind === 'all' ? predicate.of : [predicate],
  )
  const costed = tests.map((test) => ({
    cost: cost(test),
    make: () => predicateSql(test, joins),
  }))
  if (split !== undefined) costed.push({ cost: splitCost, make: () => splitSql(split, joins) })
  // In this order so that what a cheap test follows is joined before what a dear one does.
  return balanced(
    costed.toSorted((a, b) => a.cost - b.cost).map(({ make }) => make()),
    'and',
  )
}

/** Cost of computing one hash, beside the costs of predicates. */
const splitCost = 60

/** Whether an item is in the part of a split that a view takes. */
export function splitSql({ by, salt, total, take }: Split, joins: PathJoins): Expression {
  const key = by === undefined ? digitsOf(itemRow('id')) : textSql(by, joins)
  const point = splitPoint(sql`coalesce(${key}, '')`, salt, total)
  return sql`${point} between ${take.from} and ${take.to - 1}`
}

/** The value at the end of a path as text. */
function textSql(path: Path, joins: PathJoins): Expression {
  const value = joins.value(path)
  return isRowField(path.field) ? digitsOf(value) : cellText(path.field.type, value)
}
