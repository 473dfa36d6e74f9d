import { operators, type Comparison, type Condition, type OperatorName } from '@vitrine/contract'

/** A condition as one chip shows it: a mapping of one entry, of a path with one comparison. */
export type Filter = Condition

/** Takes a condition apart into filters that must all hold, in the order in which it was written. */
export function filtersOf(where: Condition | undefined): Filter[] {
  return Object.entries(where ?? {}).flatMap(([key, value]): Filter[] => {
    if (key === 'all') return (value as Condition[]).flatMap(filtersOf)
    if (key === 'any' || key === 'not') return [{ [key]: value }]
    return comparisonsOf(value as Comparison).map((comparison) => ({ [key]: comparison }))
  })
}

function comparisonsOf(comparison: Comparison): Comparison[] {
  return Object.entries(comparison).flatMap(([name, operand]): Comparison[] => {
    const isMeasure = operators[name as OperatorName].operand === 'measure'
    if (!isMeasure || typeof operand !== 'object') return [{ [name]: operand }]
    return comparisonsOf(operand as Comparison).map((inner) => ({ [name]: inner }))
  })
}

/** The condition that all filters make, as one would write it; undefined for none. */
export function whereOf(filters: readonly Filter[]): Condition | undefined {
  if (filters.length < 2) return filters[0]
  const keys = filters.flatMap((filter) => Object.keys(filter))
  const isMapping = new Set(keys).size === keys.length
  return isMapping ? Object.assign({}, ...filters) : { all: [...filters] }
}
