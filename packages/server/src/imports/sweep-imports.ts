// Runs on the main thread.

import { findDatasetById } from '../store/datasets.ts'
import { dropImportBlobs } from '../store/import-blobs.ts'
import { dropRefusals } from '../store/import-refusals.ts'
import { deleteImport, listStaleImports, lockImport, updateImport } from '../store/imports.ts'
import type { Store } from '../store/store.ts'

const hour = 60 * 60_000

/** Ages below which interrupted uploads and ended imports are kept. */
export type ImportBounds = { idleMs: number; keptMs: number }

const usualBounds: ImportBounds = { idleMs: 24 * hour, keptMs: 30 * 24 * hour }

/** How many imports one query looks at, and refusals one write removes. */
const batch = { imports: 50, refusals: 5000 }

/**
 * Cancels imports whose file was never completed, or that nobody confirmed, and forgets those that ended long ago, or whose
 * repository is gone.
 */
export async function sweepImports(
  store: Store,
  { idleMs, keptMs }: ImportBounds = usualBounds,
): Promise<void> {
  for (;;) {
    const bounds = { idleMs, keptMs, limit: batch.imports }
    const stale = await listStaleImports(store.reads, bounds)
    if (stale.length === 0) return
    for (const { id, state, dataset_id: datasetId } of stale) {
      const isGone = (await findDatasetById(store.reads, datasetId)) === undefined
      if ((state === 'receiving' || state === 'checked') && !isGone) {
        await store.write(async (transaction) => {
          // It may have been completed or confirmed meanwhile.
          if ((await lockImport(transaction, id))?.state !== state) return
          await updateImport(transaction, id, { state: 'cancelled' })
          await dropImportBlobs(transaction, id)
        })
        continue
      }
      while (await store.write((transaction) => dropRefusals(transaction, id, batch.refusals)));
      await store.write(async (transaction) => {
        await dropImportBlobs(transaction, id)
        await deleteImport(transaction, id)
      })
    }
  }
}
