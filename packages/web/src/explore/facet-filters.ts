import {
  isFieldType,
  textOf,
  type Comparison,
  type Condition,
  type ItemValue,
  type ShownField,
} from '@vitrine/contract'
import { filtersOf, whereOf, type Filter } from './filters.ts'
import { simpleFilter, type SimpleFilter } from './simple-filter.ts'

/**
 * The condition without what the statistics of a column have set of it: what stands in the column's own head
 * are all that one could choose there, as a dimension of Crossfilter does not heed its own filter
 * (https://github.com/crossfilter/crossfilter/wiki/API-Reference).
 */
export function whereBeside(where: Condition | undefined, name: string): Condition | undefined {
  return whereOf(othersThan(filtersOf(where), name))
}

/** Whether all that a comparison asks of a field is asked already. */
export function hasComparison(where: Condition | undefined, name: string, comparison: Comparison) {
  const keys = new Set(filtersOf(where).map(keyOf))
  return filtersOf({ [name]: comparison }).every((filter) => keys.has(keyOf(filter)))
}

/** Asks for a comparison in the place of what was chosen in the same head, or no longer for the same. */
export function toggledWhere(
  where: Condition | undefined,
  name: string,
  comparison: Comparison,
): Condition | undefined {
  const filters = filtersOf(where)
  const chosen = filtersOf({ [name]: comparison })
  if (hasComparison(where, name, comparison)) {
    const keys = new Set(chosen.map(keyOf))
    return whereOf(filters.filter((filter) => !keys.has(keyOf(filter))))
  }
  return whereOf([...othersThan(filters, name), ...chosen])
}

/**
 * Whether a bin lies outside of what was chosen of a field. The bins change with the filters of other columns, so
 * none of them may have the bounds that were chosen.
 */
export function isBeside(
  where: Condition | undefined,
  { name, type }: Pick<ShownField, 'name' | 'type'>,
  bin: Comparison,
): boolean {
  const [from, to] = ends(filtersOf({ [name]: bin }).map(simpleFilter))
  const chosen = filtersOf(where)
    .map(simpleFilter)
    .filter((each) => each?.path === name && each.measure === (from ?? to)?.measure)
  const [least, most] = ends(chosen)
  if (least === undefined || most === undefined) return false
  return comesBefore(type, from, least) || comesBefore(type, most, to)
}

function ends(filters: readonly (SimpleFilter | undefined)[]) {
  return (['gte', 'lt'] as const).map((operator) =>
    filters.find((each) => each?.operator === operator),
  )
}

/** Compares bounds as they are stored, where they are in order. One that is not there is beyond any other. */
function comesBefore(
  type: string,
  left: SimpleFilter | undefined,
  right: SimpleFilter | undefined,
): boolean {
  if (left === undefined || right === undefined) return true
  const form = isFieldType(type) && left.measure === undefined ? textOf({ type }) : undefined
  const [one, other] = [left, right].map(
    ({ operand }) => form?.toCell(operand as ItemValue) ?? operand,
  )
  return (one as number) < (other as number)
}

function othersThan(filters: readonly Filter[], name: string): Filter[] {
  const simple = filters.map(simpleFilter).filter((each) => each !== undefined)
  return filters.filter((filter) => !isChosen(simpleFilter(filter), name, simple))
}

/** Whether a filter is as a head sets it: one value, nothing, or from one bound to another. */
function isChosen(
  filter: SimpleFilter | undefined,
  name: string,
  all: readonly SimpleFilter[],
): boolean {
  if (filter?.path !== name) return false
  const { operator, measure, operand } = filter
  if (operator === 'eq') return true
  if (operator === 'empty') return operand === true
  const other = operator === 'gte' ? 'lt' : operator === 'lt' ? 'gte' : undefined
  return all.some(
    (each) => each.path === name && each.measure === measure && each.operator === other,
  )
}

/** Returns a key that is equal for equivalent filters. */
function keyOf(filter: Filter): string {
  return JSON.stringify(simpleFilter(filter) ?? filter)
}
