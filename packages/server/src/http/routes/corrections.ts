import { fail } from '../../failure.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import { listItemReplacements, listItemVersions } from '../../reading/item-versions.ts'
import type { Store } from '../../store/store.ts'
import { type Handlers, disconnectSignal } from '../route.ts'

/** Answers which items were replaced, and by what (docs/corrections.md). */
export function correctionHandlers(
  { reads }: Store,
  datasets: DatasetReader,
): Pick<Handlers, 'datasetVersionList' | 'datasetReplacementList'> {
  return {
    datasetVersionList: async ({
      params: { datasetId, itemId },
      query: { at, ...page },
      reply,
    }) => {
      const dataset = await datasets.find(datasetId, at)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const options = { signal: () => disconnectSignal(reply) }
      const versions = await listItemVersions(reads, dataset, { itemId, ...page }, options)
      if (versions === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return versions
    },
    datasetReplacementList: async ({ params, query: { at, ids }, reply }) => {
      const dataset = await datasets.find(params.datasetId, at)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const options = { signal: () => disconnectSignal(reply) }
      return listItemReplacements(reads, dataset, ids, options)
    },
  }
}
