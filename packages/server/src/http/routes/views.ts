import { createView } from '../../datasets/create-view.ts'
import { deleteDataset } from '../../datasets/delete-dataset.ts'
import type { DroppedData } from '../../datasets/dropped-data.ts'
import { previewView } from '../../datasets/preview-view.ts'
import type { Handlers } from '../route.ts'
import { listViews } from '../../store/datasets.ts'
import type { Store } from '../../store/store.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'

export function viewHandlers(
  store: Store,
  {
    datasets,
    droppedData,
    rests,
  }: { datasets: DatasetReader; droppedData: DroppedData; rests: boolean },
): Pick<Handlers, 'viewList' | 'viewCreate' | 'viewPreview' | 'viewDelete'> {
  return {
    viewList: ({ query }) => listViews(store.reads, query),
    viewCreate: async ({ body, identity, reply }) => {
      const { created, info } = await createView(store, body, identity)
      if (created) await datasets.begin(info.name)
      else reply.code(200)
      return info
    },
    viewPreview: ({ body }) => previewView(store, datasets, body),
    viewDelete: async ({ params, identity }) => {
      await deleteDataset(store, 'view', params.datasetId, { identity, rests })
      droppedData.wake()
    },
  }
}
