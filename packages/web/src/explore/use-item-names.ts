import { useQueries } from '@tanstack/react-query'
import type { Condition, OperatorName } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import type { ItemName } from './filter-text.ts'
import { filtersOf } from './filters.ts'
import { pathField } from './path-field.ts'
import { simpleFilter } from './simple-filter.ts'

const identities: readonly OperatorName[] = ['eq', 'neq', 'in', 'nin']

/** Loads the labels of the items that a condition on a dataset names by their ids. */
export function useItemNames(datasetId: string, where: Condition | undefined): ItemName {
  const app = useApp()
  const { queries, features } = app
  const comparisons = features.includes('labels') ? numberComparisons(where) : []
  const fields = useQueries({
    queries: comparisons.map(({ path }) => pathField(app, datasetId, path)),
  })
  const items = comparisons.flatMap(({ path, ids }, index) => {
    const field = fields[index]?.data
    return field?.type === 'reference' ? ids.map((id) => ({ path, id, target: field.target })) : []
  })
  const labels = useQueries({
    queries: items.map(({ target, id }) => queries.datasetLabel(target, id)),
  })
  return (path, id) => {
    const index = items.findIndex((item) => item.path === path && item.id === id)
    return labels[index]?.data || undefined
  }
}

/** Every comparison with numbers, which are ids where the path ends at a reference. */
function numberComparisons(where: Condition | undefined): { path: string; ids: number[] }[] {
  return filtersOf(where).flatMap((filter) => {
    if ('not' in filter) return numberComparisons(filter['not'] as Condition)
    if ('any' in filter) return (filter['any'] as Condition[]).flatMap(numberComparisons)
    const { path, measure, operator, operand } = simpleFilter(filter)!
    if (measure !== undefined || !identities.includes(operator)) return []
    const ids = [operand].flat().filter((each) => typeof each === 'number')
    return ids.length === 0 ? [] : [{ path, ids }]
  })
}
