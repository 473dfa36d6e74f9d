import { errors } from '@vitrine/contract'
import type { Transaction } from 'kysely'
import { dropImportBlobs } from '../store/import-blobs.ts'
import { isUnfinished, listUnfinished, lockImport, updateImport } from '../store/imports.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Fails the imports into a repository that is being deleted, after its row is gone: they must not go on if it is
 * taken back. Whoever checks one ends it; what one has published that nobody sees yet stays until then.
 */
export async function endImports(
  transaction: Transaction<Tables>,
  datasetId: number,
): Promise<void> {
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
