import type { Transaction } from 'kysely'
import { personOf } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import type { Dataset } from '../store/datasets.ts'
import {
  forgetDeleted,
  listDeletedBefore,
  listDeletedReferring,
  lockDeleted,
} from '../store/deleted-datasets.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { NotedPerson } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { requireDeleted, type Requester } from './require-deleted.ts'

/**
 * Removes a deleted dataset for good: what a repository has is left to `DroppedData`.
 * @throws Failure DELETED_NOT_FOUND, DATASET_REFERENCED naming the deleted datasets that refer to it
 */
export function removeDeleted(store: Store, id: number, requester: Requester): Promise<void> {
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const { dataset } = requireDeleted(await lockDeleted(transaction, id), requester)
    const referencedBy = await listDeletedReferring(transaction, id)
    if (referencedBy.length > 0) throw fail('DATASET_REFERENCED', { referencedBy })
    await remove(transaction, dataset, personOf(requester.identity))
  })
}

/**
 * Removes for good what was deleted so long ago, each in a write of its own. What something deleted refers to waits
 * for that, which may have been deleted later by a clock that was set back.
 * @returns how many datasets
 */
export async function sweepDeleted(store: Store, restMs: number): Promise<number> {
  let removed = 0
  const due = await listDeletedBefore(store.reads, restMs)
  for (;;) {
    const before = removed
    for (const id of due) if (await removeUnreferenced(store, id)) removed += 1
    if (removed === before) return removed
  }
}

/** @returns false where it was taken back, removed by another process, or something deleted refers to it */
function removeUnreferenced(store: Store, id: number): Promise<boolean> {
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const deleted = await lockDeleted(transaction, id)
    if (deleted === undefined) return false
    if ((await listDeletedReferring(transaction, id)).length > 0) return false
    await remove(transaction, deleted.dataset)
    return true
  })
}

async function remove(
  transaction: Transaction<Tables>,
  dataset: Dataset,
  by?: NotedPerson,
): Promise<void> {
  await forgetDeleted(transaction, dataset)
  await writeAudit(transaction, { what: 'dataset-removed', ...(by && { by }), dataset })
}
