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

/** A filter in words, as a chip shows it. */
export function filterText(filter: Filter): string {
  const simple = simpleFilter(filter)
  if (simple === undefined) return logicText(filter)
  const { path, operator, measure, operand } = simple
  if (operator === 'empty') {
    return `${path} ${operand === false ? 'is there' : operatorWords.empty}`
  }
  const of = measure === undefined ? path : `${path} ${operatorWords[measure]}`
  return `${of} ${operatorWords[operator]} ${operandText(operator, operand)}`
}

function operandText(operator: OperatorName, operand: unknown): string {
  if (!Array.isArray(operand)) return operand === '' ? "''" : String(operand)
  return operand.map(String).join(operator === 'between' ? ' and ' : ', ')
}

function logicText(filter: Filter): string {
  const [name, value] = Object.entries(filter)[0]!
  if (name === 'not') return `not (${conditionText(value as Condition)})`
  return (value as Condition[]).map(conditionText).join(' or ')
}

/** A condition in words. */
export function conditionText(condition: Condition): string {
  const filters = filtersOf(condition)
  const isLoose = (filter: Filter) => filters.length > 1 && 'any' in filter
  return filters
    .map((filter) => (isLoose(filter) ? `(${filterText(filter)})` : filterText(filter)))
    .join(' and ')
}
