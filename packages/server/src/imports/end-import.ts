import { fail } from '../failure.ts'
import { findDatasetById, lockDatasetById } from '../store/datasets.ts'
import { dropImportBlobs } from '../store/import-blobs.ts'
import { endPublishing, notePublishedRows, removeUnpublished } from '../store/import-items.ts'
import {
  findImportById,
  isUnfinished,
  lockImport,
  updateImport,
  type ImportRow,
} from '../store/imports.ts'
import type { Lease } from '../store/leases.ts'
import type { Store } from '../store/store.ts'

/** Items removed in one write. */
const removedAtOnce = 5000

/**
 * Decides that an import is cancelled: from then on nobody publishes it.
 * @returns whether its end is still to be brought about by `endImport`
 * @throws Failure IMPORT_DONE
 */
export async function decideToCancel(store: Store, id: number): Promise<boolean> {
  return store.write(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state === 'done') throw fail('IMPORT_DONE')
    if (row?.state === 'receiving') {
      await updateImport(transaction, id, { state: 'cancelled' })
      await dropImportBlobs(transaction, id)
      return false
    }
    if (row === undefined || !isUnfinished(row)) return false
    if (row.ends_as === null) await updateImport(transaction, id, { ends_as: 'cancelled' })
    return true
  })
}

/**
 * Decides that an import has failed, with the JSON of an error reply.
 * @returns false when it had been decided already how it ends
 */
export async function decideToFail(store: Store, id: number, error: string): Promise<boolean> {
  return store.write(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row === undefined || !isUnfinished(row) || row.ends_as !== null) return false
    await updateImport(transaction, id, { ends_as: 'failed', error })
    return true
  })
}

/**
 * Ends an import as was decided: removes what it has written, and gives up its turn in the same
 * transaction in which it ends.
 * @throws LeaseLost
 */
export async function endImport(store: Store, id: number, lease: Lease): Promise<void> {
  const row = await findImportById(store.reads, id)
  if (row === undefined || !isUnfinished(row) || row.ends_as === null) return
  await withdrawItems(store, row, lease)
  lease.check()
  await store.write(async (transaction) => {
    await lockDatasetById(transaction, row.dataset_id)
    const current = await lockImport(transaction, id)
    if (current === undefined || !isUnfinished(current) || current.ends_as === null) return
    await endPublishing(transaction, { datasetId: row.dataset_id, importId: id, rows: 0 })
    await updateImport(transaction, id, { state: current.ends_as })
    await dropImportBlobs(transaction, id)
  })
}

async function withdrawItems(store: Store, row: ImportRow, lease: Lease): Promise<void> {
  const { id, dataset_id: datasetId, first_position: first, published_rows: published } = row
  if (first === null || (await findDatasetById(store.reads, datasetId)) === undefined) return
  for (let to = first + published; to > first; to -= removedAtOnce) {
    lease.check()
    const from = Math.max(first, to - removedAtOnce)
    await store.writeInWorker({
      claim: notePublishedRows({
        importId: id,
        datasetId,
        rows: from - first,
        step: 'withdrawing',
      }),
      statements: removeUnpublished({ id: datasetId }, { from, to }),
    })
  }
}
