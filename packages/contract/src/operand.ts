import { countCodePoints } from './code-points.ts'
import { compareText } from './compare-text.ts'
import type { Problem } from './errors.ts'
import { readLiteral, readText } from './literal.ts'
import { parseMoment } from './moment.ts'
import type { Operator } from './operators.ts'
import type { Literal, Predicate, Subject } from './predicate.ts'
import { kindOf } from './problems.ts'
import type { Scope } from './scope.ts'
import { quote } from './unknown-name.ts'
import type { ValueType } from './value-type.ts'

/** What an operand is read for: nothing is known of its subject when the schema is unknown. */
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
      else if (!operator.folds) reportTooLong(String(read.value), at, operated)
      return subject && read.ok ? operator.predicate(subject, String(read.value)) : undefined
    }
    case 'flag': {
      const given = typeof input === 'boolean'
      if (!given) report({ path: at, reason: `must be true or false, not ${kindOf(input)}` })
      return subject && given ? operator.predicate(subject, input) : undefined
    }
  }
}

function literal(input: unknown, at: Problem['path'], operated: Operated): Literal | undefined {
  const { type, report, isOrdering } = operated
  const read = readLiteral(type, input, isOrdering)
  if (read.ok) {
    if (!isOrdering) reportTooLong(read.value, at, operated)
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
  if (isAbove(low, high, operated.type)) {
    operated.report({ path: at, reason: 'the low end is above the high end' })
    return undefined
  }
  return [low, high]
}

/** No value of a field equals or has in it what is longer than the field. */
function reportTooLong(
  value: Literal,
  at: Problem['path'],
  { subject, caution }: Pick<Operated, 'subject' | 'caution'>,
): void {
  const field = subject?.measure === 'value' ? subject.path.field : undefined
  if (field?.type !== 'string' || typeof value !== 'string') return
  const length = countCodePoints(value)
  if (length <= field.length) return
  caution({
    path: at,
    reason: `is ${length} characters, and ${quote(subject!.path.text)} holds at most ${field.length}`,
  })
}

/**
 * Without a schema only what is above in every reading is: texts may be moments, which are not in the
 * order of their characters. Ends of unlike kinds have no order, and are refused when the schema is known.
 */
function isAbove(low: Literal, high: Literal, type: ValueType | undefined): boolean {
  if (typeof low === 'number' && typeof high === 'number') return low > high
  if (typeof low !== 'string' || typeof high !== 'string') return false
  const [from, to] = [low, high].map(parseMoment)
  const mayBeMoments = type === undefined && from !== undefined && to !== undefined
  return compareText(low, high) > 0 && !(mayBeMoments && from <= to)
}
