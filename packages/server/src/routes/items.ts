import { fail } from '../failure.ts'
import type { Handlers } from '../http/route.ts'
import type { Datasets } from '../views/compile-view.ts'

type ItemReads = 'datasetItemList' | 'datasetItemGet' | 'datasetCount'

export function itemHandlers(datasets: Datasets): Pick<Handlers, ItemReads> {
  return {
    datasetItemList: async ({ params, query }) => {
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return dataset.items.page(query)
    },
    datasetItemGet: async ({ params }) => {
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      const item = await dataset.items.get(params.itemId)
      if (item === undefined) throw fail('DATASET_OR_ITEM_NOT_FOUND')
      return item
    },
    datasetCount: async ({ params }) => {
      const dataset = await datasets.find(params.datasetId)
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
      return { totalItems: await datasets.countItems(dataset) }
    },
  }
}
