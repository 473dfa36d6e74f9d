import { fail } from '../failure.ts'
import { listReferencingNames, lockDataset } from '../store/datasets.ts'
import { dropListingsOf } from '../store/listings.ts'
import { lockCatalogue } from '../store/lock-catalogue.ts'
import type { Store } from '../store/store.ts'

const notFound = { repo: 'REPO_NOT_FOUND', view: 'VIEW_NOT_FOUND' } as const

/**
 * Deletes a dataset of one kind. A repository's open inserts end with it; its items and the listings of
 * what was asked of it, which nobody can reach any more, are left to be removed by `DroppedData`.
 * @throws Failure REPO_NOT_FOUND or VIEW_NOT_FOUND, DATASET_REFERENCED naming the datasets that refer to it
 */
export function deleteDataset(store: Store, kind: 'repo' | 'view', name: string): Promise<void> {
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const dataset = await lockDataset(transaction, name)
    if (dataset?.kind !== kind) throw fail(notFound[kind])
    const { id } = dataset
    const referencing = await listReferencingNames(transaction, id)
    const others = referencing.filter((other) => other !== name)
    if (others.length > 0) throw fail('DATASET_REFERENCED', { referencedBy: others })

    await transaction.deleteFrom('dataset_references').where('dataset_id', '=', id).execute()
    if (kind === 'repo') {
      await transaction.deleteFrom('inserts').where('dataset_id', '=', id).execute()
      await transaction.insertInto('dropped_repos').values({ dataset_id: id }).execute()
    }
    await dropListingsOf(transaction, id)
    await transaction.deleteFrom('datasets').where('id', '=', id).execute()
  })
}
