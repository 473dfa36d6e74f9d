import type { Expression } from '../store/expressions.ts'
import type { PathJoins } from './path-joins.ts'
import { balanced, cost, predicateSql } from './predicate-sql.ts'
import type { Listing } from './sequence.ts'
import { splitCost, splitSql } from './split-sql.ts'

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
