import type { Problem } from '../api/errors.ts'
import type { Path } from './path.ts'
import type { Measure } from '../values/index.ts'

/** Subject of a test: the value at a path, or a measure of it. */
export type Subject = { path: Path; measure: 'value' | Measure }

/**
 * Value that a subject is compared with: text with text, by code point; numbers with numbers, ids, references,
 * lengths, sizes, as milliseconds since 1970, the moments of rows, and, as 0 and 1, truth values. Days are
 * texts, and so are timestamps, without their Z. A media type is in lower case, and so must the stored one
 * be when they are compared.
 */
export type Literal = string | number

/**
 * One test of one subject. Every test but `missing` is false of a missing value, which is what
 * makes the language two-valued (docs/views.md).
 */
export type Test =
  | { kind: 'eq' | 'lt' | 'lte' | 'gt' | 'gte'; subject: Subject; value: Literal }
  | { kind: 'in'; subject: Subject; values: readonly Literal[] }
  | { kind: 'contains' | 'starts_with' | 'ends_with'; subject: Subject; text: string }
  /** `text` is folded already; `foldCase` of the subject must contain it. */
  | { kind: 'icontains'; subject: Subject; text: string }
  /** `text` is folded already; `foldSearch` of the subject must contain it. */
  | { kind: 'search'; subject: Subject; text: string }
  | { kind: 'missing'; subject: Subject }

/** Meaning of a condition, in the fewest forms: the operators of the language are made of these. */
export type Predicate =
  | Test
  | { kind: 'all'; of: readonly Predicate[] }
  | { kind: 'any'; of: readonly Predicate[] }
  | { kind: 'not'; of: Predicate }

/** One of the conditions that must all hold, and where in the description it stands. */
export type Clause = { at: Problem['path']; predicate: Predicate }

export function allOf(predicates: readonly Predicate[]): Predicate {
  return predicates.length === 1 ? predicates[0]! : { kind: 'all', of: predicates }
}

export function anyOf(predicates: readonly Predicate[]): Predicate {
  return predicates.length === 1 ? predicates[0]! : { kind: 'any', of: predicates }
}

export function not(of: Predicate): Predicate {
  return { kind: 'not', of }
}
