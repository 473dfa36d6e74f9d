import { createRepo } from '../datasets/create-repo.ts'
import { deleteDataset } from '../datasets/delete-dataset.ts'
import type { DroppedData } from '../datasets/dropped-data.ts'
import type { Handlers } from '../http/route.ts'
import { listRepos } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'

export function repoHandlers(
  store: Store,
  droppedData: DroppedData,
): Pick<Handlers, 'repoList' | 'repoCreate' | 'repoDelete'> {
  return {
    repoList: ({ query }) => listRepos(store.reads, query),
    repoCreate: async ({ body, identity, reply }) => {
      const { created, info } = await createRepo(store, body, identity)
      if (!created) reply.code(200)
      return info
    },
    repoDelete: async ({ params }) => {
      await deleteDataset(store, 'repo', params.datasetId)
      droppedData.wake()
    },
  }
}
