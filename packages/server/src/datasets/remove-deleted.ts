import type { DeletedDataset } from '@vitrine/contract'
import { type Identity, identityKey, personOf } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import type { Dataset } from '../store/datasets.ts'
import {
  type DeletedDataset as StoredDeletedDataset,
  forgetDeleted,
  listDeleted,
  listDeletedBefore,
  listDeletedReferring,
  lockDeleted,
  namesOfDatasets,
} from '../store/deleted-datasets.ts'
import { lockCatalogue } from '../store/leases.ts'
import { type PersonRecord, findPerson } from '../store/people.ts'
import type { Db, Store, Transaction } from '../store/store.ts'

/**
 * Removes a deleted dataset for good: what a repository has is left to `DroppedData`.
 * @throws Failure DELETED_NOT_FOUND, DATASET_REFERENCED naming the deleted datasets that refer to it, of
 *   those that the requester may take back
 */
export function removeDeleted(store: Store, id: number, requester: Requester): Promise<void> {
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const { dataset } = await requireDeleted(transaction, id, requester)
    if ((await listDeletedReferring(transaction, id)).length > 0) {
      const referencedBy = await listDeletedReferring(transaction, id, personOfRequester(requester))
      throw fail('DATASET_REFERENCED', { referencedBy })
    }
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
  transaction: Transaction,
  dataset: Dataset,
  by?: PersonRecord,
): Promise<void> {
  await forgetDeleted(transaction, dataset)
  await writeAudit(transaction, { what: 'dataset-removed', ...(by && { by }), dataset })
}

/** Who asks for what was deleted: administrators may for anything, others for what they have deleted or own. */
export type Requester = { identity: Identity; isAdministrator: boolean }

/** The person whose deleted datasets are meant; undefined where all are. */
const personOfRequester = ({ identity, isAdministrator }: Requester): string | undefined =>
  isAdministrator ? undefined : identityKey(identity)

/** @throws Failure DELETED_NOT_FOUND, also for what is somebody else's */
export async function requireDeleted(
  transaction: Transaction,
  id: number,
  requester: Requester,
): Promise<StoredDeletedDataset> {
  const deleted = await lockDeleted(transaction, id, personOfRequester(requester))
  if (deleted === undefined) throw fail('DELETED_NOT_FOUND')
  return deleted
}

/** Lists the deleted datasets that somebody may take back, with what each needs for that. */
export async function listTheirDeleted(
  db: Db,
  requester: Requester,
  {
    restMs,
    ...query
  }: { restMs: number; name?: string | undefined; page: number; pageSize: number },
): Promise<DeletedDataset[]> {
  const of = personOfRequester(requester)
  const among = requester.identity.datasets
  const listed = await listDeleted(db, { name: undefined, ...query, of, among })
  const ids = new Set(listed.flatMap(({ targets }) => [...targets.values()]))
  const there = await namesOfDatasets(db, [...ids])
  const shown: DeletedDataset[] = []
  for (const { dataset, items, targets, deletedAt, deletedBy } of listed) {
    const { id, name, kind, createdAt } = dataset
    shown.push({
      id,
      name,
      kind,
      ...(kind === 'repo' && { items }),
      createdAt: new Date(createdAt).toISOString(),
      deletedAt: new Date(deletedAt).toISOString(),
      deletedBy: await findPerson(db, deletedBy),
      removedAt: new Date(deletedAt + restMs).toISOString(),
      needs: [...targets].flatMap(([target, targetId]) =>
        targetId === id || there.has(targetId) ? [] : [target],
      ),
    })
  }
  return shown
}
