import type { Problem } from '../api/errors.ts'
import { isMapping, mapSorted } from './mapping.ts'
import { nearest } from '../text/nearest.ts'
import { readOperand } from './operand.ts'
import {
  type Operator,
  type OperatorName,
  isOperatorName,
  operators,
  operatorsFor,
} from './operators.ts'
import { type Path, isRowField } from './path.ts'
import type { Literal, Predicate, Subject } from './predicate.ts'
import { kindOf, quote } from '../problems.ts'
import type { Scope } from './scope.ts'
import { type Measure, type ValueType, describeType, typeOf } from '../values/index.ts'

/** Operators with their operands as written; all must hold. */
export type Comparison = { [name in OperatorName]?: Operand }

export type Operand = Literal | boolean | readonly Literal[] | Comparison

/** Subject of a comparison. Without a path, when no schema is known, every type is accepted. */
type Compared = { path: Path | undefined; measure?: Measure } & Pick<Scope, 'report' | 'caution'>

/** Reads the comparison that stands under a path, or under a measure of it, reporting what is wrong. */
export function readComparison(
  input: unknown,
  at: Problem['path'],
  compared: Compared,
): Predicate[] {
  const { report } = compared
  if (!isMapping(input)) {
    report({
      path: at,
      reason: `must be a mapping of operators${instead(input, typeCompared(compared))}`,
    })
    return []
  }
  const entries = Object.entries(input)
  if (entries.length === 0) report({ path: at, reason: 'must have at least one operator' })
  return entries.flatMap(([name, operand]) => readEntry(name, operand, [...at, name], compared))
}

/** Says what stands in the place of a comparison, and suggests one. */
function instead(input: unknown, type: ValueType | undefined): string {
  if (input === null) return ', not empty; { empty: true } finds what is missing'
  const isTruth = typeof input === 'boolean' && type === 'boolean'
  const isLiteral = typeof input === 'string' || typeof input === 'number' || isTruth
  if (!isLiteral && !Array.isArray(input)) return `, not ${kindOf(input)}`
  const written = `{ ${isLiteral ? 'eq' : 'in'}: ${JSON.stringify(input)} }`
  return `, not ${kindOf(input)}${written.length > 64 || /[\n\r]/.test(String(input)) ? '' : `; did you mean ${written}?`}`
}

function typeCompared({ path, measure }: Compared): ValueType | undefined {
  return measure ?? path?.field.type
}

function readEntry(
  name: string,
  input: unknown,
  at: Problem['path'],
  compared: Compared,
): Predicate[] {
  const { path, report, caution } = compared
  const type = typeCompared(compared)
  const fitting = namesFor(type)
  if (!isOperatorName(name) || !fitting.includes(name)) {
    report(isOperatorName(name) ? misfit(name, at, type, fitting) : unknown(name, at, fitting))
    return []
  }
  const operator: Operator = operators[name]
  if (operator.operand === 'measure') {
    // A measure alone asks for equality: `length: 5` is `length: { eq: 5 }`.
    const measured = { path, measure: operator.measure, report, caution }
    if (isMapping(input)) return readComparison(input, at, measured)
    return read(operators.eq, input, at, measured)
  }
  return read(operator, input, at, compared)
}

/** Operators that compare texts by their order. */
const orderings: ReadonlySet<Operator> = new Set([
  operators.lt,
  operators.lte,
  operators.gt,
  operators.gte,
  operators.between,
])

function read(
  operator: Exclude<Operator, { operand: 'measure' }>,
  input: unknown,
  at: Problem['path'],
  { path, measure, report, caution }: Compared,
): Predicate[] {
  const subject: Subject | undefined = path && { path, measure: measure ?? 'value' }
  const predicate = readOperand(operator, input, at, {
    type: measure ?? path?.field.type,
    subject,
    report,
    caution,
    isOrdering: orderings.has(operator),
  })
  return predicate === undefined ? [] : [asStored(predicate, subject!)]
}

/** Rewrites a comparison for types whose stored order differs from their value order (choices). */
function asStored(predicate: Predicate, { path: { field }, measure }: Subject): Predicate {
  if (measure !== 'value' || isRowField(field)) return predicate
  return typeOf(field).rewrite?.(predicate, field) ?? predicate
}

function namesFor(type: ValueType | undefined): string[] {
  return type === undefined ? Object.keys(operators) : operatorsFor(type).map(({ name }) => name)
}

/** Operators by what other languages call them. */
const synonyms: Readonly<Record<string, OperatorName>> = {
  ge: 'gte',
  le: 'lte',
  ne: 'neq',
  not: 'neq',
  '=': 'eq',
  '==': 'eq',
  '!=': 'neq',
  '<>': 'neq',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
  like: 'contains',
  ilike: 'icontains',
  not_in: 'nin',
  size: 'bytes',
  missing: 'empty',
  null: 'empty',
}

function unknown(name: string, at: Problem['path'], fitting: readonly string[]): Problem {
  const meant = Object.hasOwn(synonyms, name.toLowerCase())
    ? synonyms[name.toLowerCase()]!
    : undefined
  const near = meant !== undefined && fitting.includes(meant) ? meant : nearest(name, fitting)
  const hint = near === undefined ? '' : `; did you mean ${quote(near)}?`
  return {
    path: at,
    reason: `unknown operator ${quote(name)}; expected ${fitting.join(', ')}${hint}`,
    ...(near !== undefined && { nearest: near }),
    atKey: true,
  }
}

function misfit(
  name: OperatorName,
  at: Problem['path'],
  type: ValueType | undefined,
  fitting: readonly string[],
): Problem {
  const of = type === undefined ? 'this' : describeType(type)
  return {
    path: at,
    reason: `the operator ${quote(name)} does not fit ${of}; expected ${fitting.join(', ')}`,
    atKey: true,
  }
}

/** The canonical form of a comparison: operators sorted, a measure by itself as one to equal. */
export function canonicalComparison(comparison: Comparison): Comparison {
  return mapSorted(comparison, (name, operand) => {
    if (isMapping(operand)) return canonicalComparison(operand)
    const { operand: kind } = operators[name as OperatorName]
    return kind === 'measure' ? { eq: operand } : operand
  })
}
