import {
  comparedType,
  operators,
  operatorsFor,
  type Comparison,
  type Measure,
  type OperatorName,
  type ValueType,
} from '@vitrine/contract'
import type { Filter } from './filters.ts'

/** An operator, asked of a value or of a measure of it. */
export type Choice = { measure?: Measure; operator: OperatorName }

/** A filter that a form can show: one operator on one path. */
export type SimpleFilter = Choice & { path: string; operand: unknown }

/** Everything that can be asked of a value of a type, measures by the operators that fit them. */
export function choicesFor(type: ValueType): Choice[] {
  return operatorsFor(type).flatMap(({ name, operator }): Choice[] => {
    if (operator.operand !== 'measure') return [{ operator: name }]
    const { measure } = operator
    return operatorsFor(measure).map((inner) => ({ measure, operator: inner.name }))
  })
}

/** Operators that a form offers before all others, the first of them at once. */
function usualOperators(type: ValueType): readonly OperatorName[] {
  const { scale } = comparedType(type)
  // Much and little are looked for rather than one value.
  if (scale === 'number' || scale === 'time') return ['gte', 'lte', 'between', 'eq', 'empty']
  if (type === 'reference' || type === 'boolean' || type === 'id')
    return ['eq', 'neq', 'in', 'empty']
  return ['icontains', 'eq', 'in', 'empty']
}

/** Returns the first choice of a form. */
export function usualChoice(type: ValueType): Choice | undefined {
  return choiceGroups(type)[0]?.choices[0]
}

/** The group in which a form offers an operator; its groups stand in this order. */
const groupLabels: Record<Exclude<OperatorName, Measure>, string> = {
  icontains: 'Text',
  contains: 'Text',
  search: 'Text',
  starts_with: 'Text',
  ends_with: 'Text',
  eq: 'Equality',
  neq: 'Equality',
  in: 'Equality',
  nin: 'Equality',
  lt: 'Order',
  lte: 'Order',
  gt: 'Order',
  gte: 'Order',
  between: 'Order',
  empty: 'Presence',
}

const measureLabels: Record<Measure, string> = {
  length: 'Length',
  sha256: 'Digest',
  mime: 'Media type',
  bytes: 'Size',
}

/** Everything that can be asked of a value of a type, by the labels of its groups: a few first. */
export function choiceGroups(type: ValueType): { label: string; choices: Choice[] }[] {
  const all = choicesFor(type)
  const usual = usualOperators(type).flatMap(
    (name) => all.find(({ operator, measure }) => operator === name && measure === undefined) ?? [],
  )
  const choices = all.filter((choice) => !usual.includes(choice))
  const labelOf = ({ operator, measure }: Choice) =>
    measure === undefined
      ? groupLabels[operator as Exclude<OperatorName, Measure>]
      : measureLabels[measure]
  const labels = new Set([...Object.values(groupLabels), ...Object.values(measureLabels)])
  return [
    { label: 'Usual', choices: usual },
    ...[...labels].map((label) => ({
      label,
      choices: choices.filter((choice) => labelOf(choice) === label),
    })),
  ].filter((group) => group.choices.length > 0)
}

export function choiceKey({ measure, operator }: Choice): string {
  return measure === undefined ? operator : `${measure} ${operator}`
}

/** Reads a filter; undefined for one of `any` or `not`, which no form shows. */
export function simpleFilter(filter: Filter): SimpleFilter | undefined {
  const [path, comparison] = Object.entries(filter)[0]!
  if (path === 'any' || path === 'not') return undefined
  const [name, operand] = Object.entries(comparison as Comparison)[0]!
  const operator = name as OperatorName
  const meaning = operators[operator]
  if (meaning.operand !== 'measure') return { path, operator, operand }
  const { measure } = meaning
  if (typeof operand !== 'object') return { path, measure, operator: 'eq', operand }
  const [inner, value] = Object.entries(operand as Comparison)[0]!
  return { path, measure, operator: inner as OperatorName, operand: value }
}

export function filterOf({ path, measure, operator, operand }: SimpleFilter): Filter {
  const comparison = { [operator]: operand } as Comparison
  return { [path]: measure === undefined ? comparison : { [measure]: comparison } }
}
