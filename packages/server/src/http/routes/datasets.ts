import { fail } from '../../failure.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import { DatasetSearch } from '../../reading/dataset-search.ts'
import type { Handlers } from '../route.ts'
import { findDataset, listDatasets, readDatasetInfo } from '../../store/datasets.ts'
import type { Store } from '../../store/store.ts'

type DatasetReads = 'datasetList' | 'datasetSearch' | 'datasetGet'

export function datasetHandlers(
  store: Store,
  datasets: DatasetReader,
): Pick<Handlers, DatasetReads> {
  const { reads } = store
  const search = new DatasetSearch(store, datasets)
  return {
    datasetList: ({ query }) => listDatasets(reads, query),
    datasetSearch: ({ query }) => search.find(query),
    datasetGet: async ({ params }) => {
      const dataset = await findDataset(reads, params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      return readDatasetInfo(reads, dataset)
    },
  }
}
