import { type Comparison, canonicalComparison, readComparison } from './comparison.ts'
import type { Problem } from '../api/errors.ts'
import { limits } from '../limits.ts'
import { isMapping, mapSorted } from './mapping.ts'
import { nearest } from '../text/nearest.ts'
import { isOperatorName } from './operators.ts'
import { type Clause, allOf, anyOf, not } from './predicate.ts'
import { kindOf, quote } from '../problems.ts'
import type { Scope } from './scope.ts'

/**
 * A condition as written: each entry is a path with its comparison, or `all`, `any` or `not`; all
 * entries must hold.
 */
export type Condition = { [pathOrLogic: string]: Comparison | Condition | Condition[] }

/** The keys of a condition that are no paths. */
export const logicNames = ['all', 'any', 'not'] as const

/** Reads a condition into the clauses that must all hold, reporting what is wrong with it. */
export function readCondition(input: unknown, at: Problem['path'], scope: Scope): Clause[] {
  if (at.length >= limits.descriptionDepth) {
    scope.report({
      path: at,
      reason: `a description nests at most ${limits.descriptionDepth} levels`,
    })
    return []
  }
  if (!isMapping(input)) {
    const list = Array.isArray(input) ? '; a list stands under all or any' : ''
    scope.report({
      path: at,
      reason: `must be a mapping of fields to comparisons, not ${kindOf(input)}${list}`,
    })
    return []
  }
  const entries = Object.entries(input)
  if (entries.length === 0) scope.report({ path: at, reason: 'must have at least one entry' })
  return entries.flatMap(([key, value]) => readEntry(key, value, [...at, key], scope))
}

function readEntry(key: string, value: unknown, at: Problem['path'], scope: Scope): Clause[] {
  switch (key) {
    case 'all':
      return readConditions(value, at, scope).flat()
    case 'any':
      return [{ at, predicate: anyOf(readConditions(value, at, scope).map(conjunction)) }]
    case 'not':
      return [{ at, predicate: not(conjunction(readCondition(value, at, scope))) }]
    default: {
      const logic = scope.isField(key) ? undefined : logicMeant(key, value)
      if (logic !== undefined) {
        const reason = `unknown field ${quote(key)}; did you mean ${quote(logic)}?`
        scope.report({ path: at, reason, nearest: logic, atKey: true })
        return []
      }
      const path = scope.path(key, at)
      return [{ at, predicate: allOf(readComparison(value, at, { ...scope, path })) }]
    }
  }
}

/** Names of these in other languages. */
const logicSynonyms: Readonly<Record<string, string>> = { or: 'any', and: 'all' }

/** The logic that was meant by a key that is none: what stands under it is no comparison. */
function logicMeant(key: string, value: unknown): string | undefined {
  const isComparison = isMapping(value) && Object.keys(value).some(isOperatorName)
  if (isComparison) return undefined
  const name = key.toLowerCase()
  if (Object.hasOwn(logicSynonyms, name)) return logicSynonyms[name]
  const isConditions = Array.isArray(value) && value.length > 0 && value.every(isMapping)
  return isConditions ? nearest(name, ['all', 'any']) : undefined
}

function readConditions(input: unknown, at: Problem['path'], scope: Scope): Clause[][] {
  if (!Array.isArray(input)) {
    scope.report({ path: at, reason: `must be a list of conditions, not ${kindOf(input)}` })
    return []
  }
  if (input.length === 0) {
    scope.report({ path: at, reason: 'must have at least one condition' })
  }
  return input.map((each, index) => readCondition(each, [...at, index], scope))
}

function conjunction(clauses: readonly Clause[]) {
  return allOf(clauses.map(({ predicate }) => predicate))
}

/** The canonical form of a condition: the keys of its mappings sorted, its lists as they are. */
export function canonicalCondition(condition: Condition): Condition {
  return mapSorted(condition, (key, value) => {
    if (key === 'all' || key === 'any') return (value as Condition[]).map(canonicalCondition)
    if (key === 'not') return canonicalCondition(value as Condition)
    return canonicalComparison(value)
  })
}
