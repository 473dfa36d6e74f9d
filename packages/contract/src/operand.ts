import { compareText } from './compare-text.ts'
import type { Problem } from './errors.ts'
import { readLiteral, readText } from './literal.ts'
import type { Operator } from './operators.ts'
import type { Literal, Predicate, Subject } from './predicate.ts'
import { kindOf } from './problems.ts'
import type { Scope } from './scope.ts'
import type { ValueType } from './value-type.ts'

/** What an operand is read for: nothing is known of its subject when the schema is unknown. */
export type Operated = {
  type: ValueType | undefined
  subject: Subject | undefined
  report: Scope['report']
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
      return subject && read.ok ? operator.predicate(subject, String(read.value)) : undefined
    }
    case 'flag': {
      const given = typeof input === 'boolean'
      if (!given) report({ path: at, reason: `must be true or false, not ${kindOf(input)}` })
      return subject && given ? operator.predicate(subject, input) : undefined
    }
  }
}

function literal(
  input: unknown,
  at: Problem['path'],
  { type, report }: Operated,
): Literal | undefined {
  const read = readLiteral(type, input)
  if (read.ok) return read.value
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
  if (isAbove(low, high)) {
    operated.report({ path: at, reason: 'the low end is above the high end' })
    return undefined
  }
  return [low, high]
}

/** Ends of unlike kinds are refused when the schema is known; until then they have no order. */
function isAbove(low: Literal, high: Literal): boolean {
  if (typeof low === 'number' && typeof high === 'number') return low > high
  return typeof low === 'string' && typeof high === 'string' && compareText(low, high) > 0
}
