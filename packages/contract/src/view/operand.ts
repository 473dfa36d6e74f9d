import { compareText } from '../text/text.ts'
import type { Problem } from '../api/errors.ts'
import type { Operator } from './operators.ts'
import { isRowField } from './path.ts'
import type { Literal, Predicate, Subject } from './predicate.ts'
import { kindOf } from '../problems.ts'
import { readText } from '../values/read-text.ts'
import type { Scope } from './scope.ts'
import { type SchemaField, type ValueType, comparedType, typeOf } from '../values/index.ts'
import { type ReadLiteral, accept, refuse } from '../values/type-definition.ts'

/** Context for reading an operand; type and subject are undefined when the schema is unknown. */
export type Operated = {
  type: ValueType | undefined
  subject: Subject | undefined
  report: Scope['report']
  caution: Scope['caution']
  /** Whether texts are compared by their order. */
  isOrdering: boolean
}

/** Reads the operand of any operator but a measure; no predicate when it or its subject is unknown. */
export function readOperand(
  operator: Exclude<Operator, { operand: 'measure' }>,
  input: unknown,
  at: Problem['path'],
  operated: Operated,
): Predicate | undefined {
  const { subject, report } = operated
  switch (operator.operand) {
    case 'literal': {
      const value = literal(input, at, operated)
      return subject && value !== undefined ? operator.predicate(subject, value) : undefined
    }
    case 'list': {
      const values = literals(input, at, operated)
      return subject && values ? operator.predicate(subject, values) : undefined
    }
    case 'range': {
      const ends = range(input, at, operated)
      return subject && ends ? operator.predicate(subject, ...ends) : undefined
    }
    case 'text': {
      const read = readText(input)
      if (!read.ok) report({ path: at, reason: read.reason })
      // What a text folds to may be longer than it.
      else if (!operator.folds) reportSlip(String(read.value), at, operated, { isPart: true })
      return subject && read.ok ? operator.predicate(subject, String(read.value)) : undefined
    }
    case 'flag': {
      const isBoolean = typeof input === 'boolean'
      if (!isBoolean) report({ path: at, reason: `must be true or false, not ${kindOf(input)}` })
      return subject && isBoolean ? operator.predicate(subject, input) : undefined
    }
  }
}

function literal(input: unknown, at: Problem['path'], operated: Operated): Literal | undefined {
  const { type, report, isOrdering } = operated
  const field = fieldOf(operated)
  const read = readLiteral(type, input, { isOrdering, ...(field && { field }) })
  if (read.ok) {
    if (!isOrdering) reportSlip(read.value, at, operated, { isPart: false })
    return read.value
  }
  report({ path: at, reason: read.reason })
  return undefined
}

function literals(input: unknown, at: Problem['path'], operated: Operated): Literal[] | undefined {
  if (!Array.isArray(input)) {
    operated.report({ path: at, reason: `must be a list, not ${kindOf(input)}` })
    return undefined
  }
  if (input.length === 0) {
    operated.report({ path: at, reason: 'must have at least one entry' })
    return undefined
  }
  const values = input.map((each, index) => literal(each, [...at, index], operated))
  return values.every((value) => value !== undefined) ? values : undefined
}

function range(
  input: unknown,
  at: Problem['path'],
  operated: Operated,
): [Literal, Literal] | undefined {
  if (!Array.isArray(input) || input.length !== 2) {
    operated.report({ path: at, reason: 'must be a list of two, the low end and the high end' })
    return undefined
  }
  const [low, high] = input.map((each, index) => literal(each, [...at, index], operated))
  if (low === undefined || high === undefined) return undefined
  if (isAbove(low, high, operated)) {
    operated.report({ path: at, reason: 'the low end is above the high end' })
    return undefined
  }
  return [low, high]
}

/** The field whose values are compared themselves, where it is known. */
function fieldOf({ subject }: Pick<Operated, 'subject'>): SchemaField | undefined {
  const field = subject?.measure === 'value' ? subject.path.field : undefined
  return field && !isRowField(field) ? field : undefined
}

/** A literal that no value of the field equals or has in it. */
function reportSlip(
  value: Literal,
  at: Problem['path'],
  operated: Pick<Operated, 'subject' | 'caution'>,
  { isPart }: { isPart: boolean },
): void {
  const field = fieldOf(operated)
  const reason =
    field &&
    typeOf(field).neverMatches?.(value, field, { isPart, name: operated.subject!.path.text })
  if (reason !== undefined) operated.caution({ path: at, reason })
}

/**
 * Without a schema only what is above in every reading is, and texts may be moments or choices, which are
 * not in the order of their characters. Ends of unlike kinds have no order, and are refused when the schema
 * is known.
 */
function isAbove(low: Literal, high: Literal, operated: Operated): boolean {
  if (typeof low === 'number' && typeof high === 'number') return low > high
  if (typeof low !== 'string' || typeof high !== 'string' || operated.type === undefined)
    return false
  const field = fieldOf(operated)
  return ((field && typeOf(field).compare?.(low, high, field)) ?? compareText(low, high)) > 0
}

/** Reads a literal; of a value of unknown type, any text, number or truth value. */
export function readLiteral(
  type: ValueType | undefined,
  input: unknown,
  options: { isOrdering: boolean; field?: SchemaField },
): ReadLiteral {
  if (input === null) return refuse('must not be empty; { empty: true } finds what is missing')
  const read = type && comparedType(type).literal
  if (read !== undefined) return read(input, options)
  if (typeof input === 'boolean') return accept(Number(input))
  return typeof input === 'string' || typeof input === 'number'
    ? accept(input)
    : refuse(`must be text or a number, not ${kindOf(input)}`)
}
