import { createRepo } from '../datasets/create-repo.ts'
import type { Handlers } from '../http/route.ts'
import { listRepos } from '../store/datasets.ts'
import type { Store } from '../store/store.ts'

export function repoHandlers(store: Store): Pick<Handlers, 'repoList' | 'repoCreate'> {
  return {
    repoList: ({ query }) => listRepos(store.reads, query),
    repoCreate: async ({ body, identity, reply }) => {
      const { created, info } = await createRepo(store, body, identity)
      if (!created) reply.code(200)
      return info
    },
  }
}
