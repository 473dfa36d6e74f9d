import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { DatasetFilter } from '../../data/queries.ts'
import { readDatasetsSearch } from './datasets-search.ts'

type Looked = {
  query: DatasetFilter
  /** Asks for the first page of something else; `replace` puts it into the same entry of the history. */
  ask: (next: DatasetFilter, options?: { replace?: boolean }) => void
}

/** Keeps in the address which datasets are asked for, so that Back and reload restore them. */
export function useDatasetsSearch(): Looked {
  const [search, setSearch] = useSearchParams()
  const query = useMemo(() => readDatasetsSearch(search), [search])
  const ask = useCallback(
    (next: DatasetFilter, { replace = false } = {}) =>
      setSearch(
        (now) => {
          const changed = new URLSearchParams(now)
          changed.delete('page')
          for (const [key, value] of Object.entries(next)) {
            if (value === undefined || value === '') changed.delete(key)
            else changed.set(key, value)
          }
          return changed
        },
        { replace, preventScrollReset: true },
      ),
    [setSearch],
  )
  return { query, ask }
}
