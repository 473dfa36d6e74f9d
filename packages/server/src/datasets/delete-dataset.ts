import { errors } from '@vitrine/contract'
import { type Access, type Author, identityKey, personOf } from '../access/identity.ts'
import { fail } from '../failure.ts'
import { writeAudit } from '../store/audit-log.ts'
import { listReferencingNames, lockDataset } from '../store/datasets.ts'
import { layAside, removeDataset } from '../store/deleted-datasets.ts'
import { deleteGrantsOf } from '../store/grants.ts'
import { leaveToDrop } from '../store/drop-data.ts'
import { lockCatalogue } from '../store/leases.ts'
import type { Store, Transaction } from '../store/store.ts'
import { listHidden } from '../store/visibility.ts'
import { dropImportBlobs } from '../store/import-blobs.ts'
import { isUnfinished, listUnfinished, lockImport, updateImport } from '../store/imports.ts'

const notFound = { repo: 'REPO_NOT_FOUND', view: 'VIEW_NOT_FOUND' } as const

/**
 * Deletes a dataset of one kind. It rests, to be taken back or removed for good (docs/deleted.md), or with no time to
 * rest is left to be removed at once. A repository's open inserts and imports end with it; the listings of what was
 * asked of it are left to be removed by `DroppedData`.
 * @param access what whoever asks may do on it; another dataset may have taken its name since
 * @throws Failure REPO_NOT_FOUND or VIEW_NOT_FOUND, DATASET_REFERENCED naming the datasets that refer to
 *   it, of those that whoever asks may read
 */
export function deleteDataset(
  store: Store,
  kind: 'repo' | 'view',
  name: string,
  { identity, access, visibility, rests }: Author & { access: Access | undefined; rests: boolean },
): Promise<void> {
  return store.write(async (transaction) => {
    await lockCatalogue(transaction)
    const dataset = await lockDataset(transaction, name)
    if (dataset?.kind !== kind || dataset.id !== access?.datasetId) throw fail(notFound[kind])
    const { role, owners } = access
    if (role !== 'owner') throw fail('FORBIDDEN', { needed: 'owner', role, owners })
    const { id } = dataset
    const referencing = await listReferencingNames(transaction, id, 'all')
    const others = new Set(referencing.filter((other) => other !== name))
    if (others.size > 0) {
      const hidden = await listHidden(transaction, others, visibility)
      throw fail('DATASET_REFERENCED', { referencedBy: [...others.difference(hidden)] })
    }

    if (rests) await layAside(transaction, id, identityKey(identity))
    else if (kind === 'repo') await leaveToDrop(transaction, id)
    await removeDataset(transaction, dataset)
    if (!rests) await deleteGrantsOf(transaction, id)
    if (kind === 'repo') await endImports(transaction, id)
    await writeAudit(transaction, { what: 'dataset-deleted', by: personOf(identity), dataset })
  })
}

/**
 * Fails the imports into a repository that is being deleted, after its row is gone: they must not go on if it is
 * taken back. Whoever checks one ends it; what one has published that nobody sees yet stays until then.
 */
export async function endImports(transaction: Transaction, datasetId: number): Promise<void> {
  for (const { id } of await listUnfinished(transaction, datasetId)) {
    const row = await lockImport(transaction, id)
    if (row === undefined || !isUnfinished(row)) continue
    const code = 'REPO_NOT_FOUND'
    const { message } = errors[code]
    const error = JSON.stringify({ code, message, details: { importKey: row.key } })
    const endsAs = row.ends_as ?? 'failed'
    const ending = { ends_as: endsAs, ...(endsAs === 'failed' && { error: row.error ?? error }) }
    if (row.state === 'checking') {
      await updateImport(transaction, id, ending)
    } else {
      await updateImport(transaction, id, { ...ending, state: endsAs })
      await dropImportBlobs(transaction, id)
    }
  }
}
