import { useQueries } from '@tanstack/react-query'
import {
  labelField,
  searchedLabel,
  searchedReferences,
  type Condition,
  type ShownField,
} from '@vitrine/contract'
import { useApp } from '../app-context.tsx'

/**
 * Loads the conditions that words are in the labels of what references lead to; undefined until they are known.
 * There are none on a server that does not look there.
 */
export function useSearchedLabels(
  schema: readonly ShownField[] | undefined,
  q: string | undefined,
): Condition[] | undefined {
  const { queries, features } = useApp()
  const isSearched = q !== undefined && features.includes('q-labels')
  const references = isSearched ? searchedReferences(schema ?? []) : []
  const targets = useQueries({
    queries: references.map(({ target }) => queries.datasetGet(target)),
  })
  if (targets.some(({ data }) => data === undefined)) return undefined
  return references.flatMap(({ name }, index) => {
    const info = targets[index]?.data
    const label = info && labelField(info)
    return label === undefined ? [] : [searchedLabel(name, label, q!)]
  })
}
