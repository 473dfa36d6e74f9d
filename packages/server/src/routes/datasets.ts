import { fail } from '../failure.ts'
import type { Handlers } from '../http/route.ts'
import { findDataset, listDatasets, readDatasetInfo } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'

export function datasetHandlers({ reads }: Store): Pick<Handlers, 'datasetList' | 'datasetGet'> {
  return {
    datasetList: ({ query }) => listDatasets(reads, query),
    datasetGet: async ({ params }) => {
      const dataset = await findDataset(reads, params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      return readDatasetInfo(reads, dataset)
    },
  }
}
