import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { datasetSorts } from '@vitrine/contract'
import type { DatasetFilter } from '../../data/queries.ts'

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

/** Reads what an address such as `?q=lake&kind=view&sort=-items` asks for; what it does not know is left out. */
export function readDatasetsSearch(search: URLSearchParams): DatasetFilter {
  const q = search.get('q')?.trim()
  const kind = search.get('kind')
  const sort = search.get('sort')
  const sortOrder = datasetSorts.find((each) => each === sort)
  return {
    ...(q && { q }),
    ...((kind === 'repo' || kind === 'view') && { kind }),
    ...(sortOrder !== undefined && { sort: sortOrder }),
  }
}
