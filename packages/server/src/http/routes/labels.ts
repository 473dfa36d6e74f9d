import { itemLabel, limits, type LabelledItem } from '@vitrine/contract'
import { fail } from '../../failure.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import { findDatasetById, labelSource } from '../../store/datasets.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../route.ts'
import { whenGone } from '../when-gone.ts'

export function labelHandlers(
  { reads }: Store,
  datasets: DatasetReader,
): Pick<Handlers, 'datasetLabelList'> {
  return {
    datasetLabelList: async ({ params, query, reply }) => {
      const dataset = await datasets.find(params.datasetId, query.at)
      const stored = dataset && (await findDatasetById(reads, dataset.id))
      if (dataset === undefined || stored === undefined) throw fail('DATASET_NOT_FOUND')
      const source = labelSource(stored)
      const signal = () => whenGone(reply)
      const found = await Promise.all(
        query.ids.map((id) => dataset.items.get(id, { signal }, limits.cut)),
      )
      return found.flatMap(({ value: item }): LabelledItem[] => {
        if (item === undefined) return []
        const label = itemLabel(source, item)
        return [{ id: item.id, ...(label !== undefined && { label }) }]
      })
    },
  }
}
