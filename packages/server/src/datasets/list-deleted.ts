import type { DeletedDataset } from '@vitrine/contract'
import { identityKey } from '../access/identity.ts'
import { listDeleted, namesOfDatasets } from '../store/deleted-datasets.ts'
import { findPerson } from '../store/people.ts'
import type { Db } from '../store/store.ts'
import type { Requester } from './require-deleted.ts'

/** Lists the deleted datasets that somebody may take back, with what each needs for that. */
export async function listTheirDeleted(
  db: Db,
  { identity, isAdministrator }: Requester,
  {
    restMs,
    ...query
  }: { restMs: number; name?: string | undefined; page: number; pageSize: number },
): Promise<DeletedDataset[]> {
  const by = isAdministrator ? undefined : identityKey(identity)
  const listed = await listDeleted(db, { name: undefined, ...query, by })
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
