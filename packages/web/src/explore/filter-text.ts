import type { Condition, OperatorName } from '@vitrine/contract'
import { filtersOf, type Filter } from './filters.ts'
import { simpleFilter, type Choice } from './simple-filter.ts'

const operatorWords: Record<OperatorName, string> = {
  eq: 'is',
  neq: 'is not',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  in: 'is one of',
  nin: 'is none of',
  between: 'is between',
  contains: 'contains exactly',
  icontains: 'contains',
  search: 'has the words',
  starts_with: 'starts with',
  ends_with: 'ends with',
  empty: 'is missing or empty',
  length: 'length',
  sha256: 'sha256',
  mime: 'media type',
  bytes: 'bytes',
}

/** An operator in words, as a form offers it. */
export function choiceText({ measure, operator }: Choice): string {
  const word = operatorWords[operator]
  return measure === undefined ? word : `${operatorWords[measure]} ${word}`
}

/** Returns the label of an item that a path is compared with; undefined where it has none, or is no reference. */
export type ItemName = (path: string, id: unknown) => string | undefined

const noName: ItemName = () => undefined

/** A filter in words, as a chip shows it. */
export function filterText(filter: Filter, nameOf = noName): string {
  const simple = simpleFilter(filter)
  if (simple === undefined) return logicText(filter, nameOf)
  const { path, operator, measure, operand } = simple
  if (operator === 'empty') {
    return `${path} ${operand === false ? 'is there' : operatorWords.empty}`
  }
  const of = measure === undefined ? path : `${path} ${operatorWords[measure]}`
  return `${of} ${operatorWords[operator]} ${operandText(operator, operand, (id) => nameOf(path, id))}`
}

function operandText(
  operator: OperatorName,
  operand: unknown,
  nameOf: (id: unknown) => string | undefined,
): string {
  const text = (value: unknown) => nameOf(value) ?? String(value)
  if (!Array.isArray(operand)) return operand === '' ? "''" : text(operand)
  return operand.map(text).join(operator === 'between' ? ' and ' : ', ')
}

function logicText(filter: Filter, nameOf: ItemName): string {
  const [name, value] = Object.entries(filter)[0]!
  if (name === 'not') return `not (${conditionText(value as Condition, nameOf)})`
  return (value as Condition[]).map((each) => conditionText(each, nameOf)).join(' or ')
}

/** A condition in words. */
export function conditionText(condition: Condition, nameOf = noName): string {
  const filters = filtersOf(condition)
  const isLoose = (filter: Filter) => filters.length > 1 && 'any' in filter
  return filters
    .map((filter) => {
      const text = filterText(filter, nameOf)
      return isLoose(filter) ? `(${text})` : text
    })
    .join(' and ')
}
