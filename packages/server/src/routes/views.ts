import { createView } from '../datasets/create-view.ts'
import { deleteDataset } from '../datasets/delete-dataset.ts'
import type { Handlers } from '../http/route.ts'
import { listViews } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'

export function viewHandlers(
  store: Store,
): Pick<Handlers, 'viewList' | 'viewCreate' | 'viewDelete'> {
  return {
    viewList: ({ query }) => listViews(store.reads, query),
    viewCreate: async ({ body, identity, reply }) => {
      const { created, info } = await createView(store, body, identity)
      if (!created) reply.code(200)
      return info
    },
    viewDelete: ({ params }) => deleteDataset(store, 'view', params.datasetId),
  }
}
