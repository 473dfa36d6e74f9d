import { createRepo } from '../../datasets/create-repo.ts'
import { deleteDataset } from '../../datasets/delete-dataset.ts'
import type { DroppedData } from '../../datasets/dropped-data.ts'
import { extendRepo } from '../../datasets/extend-repo.ts'
import type { Handlers } from '../route.ts'
import { listRepos } from '../../store/datasets.ts'
import type { Store } from '../../store/store.ts'

export function repoHandlers(
  store: Store,
  { droppedData, rests }: { droppedData: DroppedData; rests: boolean },
): Pick<Handlers, 'repoList' | 'repoCreate' | 'repoExtend' | 'repoDelete'> {
  return {
    repoList: ({ query }) => listRepos(store.reads, query),
    repoCreate: async ({ body, identity, reply }) => {
      const { created, info } = await createRepo(store, body, identity)
      if (!created) reply.code(200)
      return info
    },
    repoExtend: async ({ params, body, identity }) => {
      const info = await extendRepo(store, params.datasetId, body, identity)
      // Orders that were made otherwise are not needed any more.
      droppedData.wake()
      return info
    },
    repoDelete: async ({ params, identity }) => {
      await deleteDataset(store, 'repo', params.datasetId, { identity, rests })
      droppedData.wake()
    },
  }
}
