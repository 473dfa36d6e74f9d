import { isRowField, textOf } from '@vitrine/contract'
import type { CellKind, Predicate, Subject, Test } from '@vitrine/contract'
import { sql } from 'kysely'
import {
  contains,
  containsFolded,
  containsSearched,
  endsWith,
  isOneOf,
  length,
  lower,
  negated,
  startsWith,
  type Expression,
} from '../store/expressions.ts'
import type { PathJoins } from './path-joins.ts'

/** A predicate as a test in SQL, which holds where it is true: it may be NULL where it does not. */
export function predicateSql(predicate: Predicate, joins: PathJoins): Expression {
  switch (predicate.kind) {
    case 'all':
      return balanced(
        predicate.of.toSorted((a, b) => cost(a) - cost(b)).map((each) => predicateSql(each, joins)),
        'and',
      )
    case 'any':
      return balanced(
        predicate.of.map((each) => predicateSql(each, joins)),
        'or',
      )
    case 'not':
      return negated(predicateSql(predicate.of, joins))
    case 'missing':
      return sql`${subjectSql(predicate.subject, joins)} is null`
    case 'in':
      return isOneOf(
        subjectSql(predicate.subject, joins),
        predicate.values,
        kindOf(predicate.subject),
      )
    case 'contains':
      return contains(subjectSql(predicate.subject, joins), predicate.text)
    case 'icontains':
      return containsFolded(subjectSql(predicate.subject, joins), predicate.text)
    case 'search':
      return containsSearched(subjectSql(predicate.subject, joins), predicate.text)
    case 'starts_with':
      return startsWith(subjectSql(predicate.subject, joins), predicate.text)
    case 'ends_with':
      return endsWith(subjectSql(predicate.subject, joins), predicate.text)
    default: {
      const operator = sql.raw(comparisons[predicate.kind])
      return sql`${subjectSql(predicate.subject, joins)} ${operator} ${predicate.value}`
    }
  }
}

const comparisons = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' }

/** How much a test costs, roughly, where comparing two values in place costs 1. */
export function cost(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.reduce((sum, each) => sum + cost(each), 0)
    case 'not':
      return cost(predicate.of)
    default: {
      const followed = predicate.subject.path.steps.length * 10
      return followed + (foldCosts[predicate.kind] ?? 1)
    }
  }
}

const foldCosts: { [Kind in Test['kind']]?: number } = { icontains: 100, search: 200 }

/** Returns the kind of cell that a subject is compared as. */
function kindOf({ path: { field }, measure }: Subject): CellKind {
  if (measure === 'value') return isRowField(field) ? 'integer' : (textOf(field)?.cell ?? 'text')
  return measure === 'length' || measure === 'bytes' ? 'integer' : 'text'
}

function subjectSql({ path, measure }: Subject, joins: PathJoins): Expression {
  switch (measure) {
    case 'value':
    case 'sha256':
      return joins.value(path)
    case 'length':
      return length(joins.value(path))
    case 'mime':
      // As it was sent, in whatever case.
      return lower(joins.value(path, '_mime'))
    case 'bytes':
      return joins.value(path, '_size')
  }
}

/**
 * One test of many, as a tree of few levels: SQLite takes at most 1,000
 * (https://www.sqlite.org/limits.html). None of `and` is a test that always holds.
 */
export function balanced(tests: readonly Expression[], operator: 'and' | 'or'): Expression {
  const [only] = tests
  if (only === undefined) return sql`${operator === 'and' ? sql.lit(1) : sql.lit(0)} = 1`
  if (tests.length === 1) return only
  const half = tests.length >> 1
  const left = balanced(tests.slice(0, half), operator)
  return sql`(${left} ${sql.raw(operator)} ${balanced(tests.slice(half), operator)})`
}
