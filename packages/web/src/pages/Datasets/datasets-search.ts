import { datasetSorts } from '@vitrine/contract'
import type { DatasetFilter } from '../../data/queries.ts'

/** Reads what an address such as `?q=lake&kind=view&sort=-items` asks for; what it does not know is left out. */
export function readDatasetsSearch(search: URLSearchParams): DatasetFilter {
  const q = search.get('q')?.trim()
  const kind = search.get('kind')
  const sort = search.get('sort')
  const known = datasetSorts.find((each) => each === sort)
  return {
    ...(q && { q }),
    ...((kind === 'repo' || kind === 'view') && { kind }),
    ...(known !== undefined && { sort: known }),
  }
}
