import { fail } from '../failure.ts'
import { lockImport, updateImport } from '../store/imports.ts'
import type { ImportContext } from './import-context.ts'

/**
 * Takes the file of an import for complete.
 * @throws Failure IMPORT_OFFSET when it is already, or has grown meanwhile
 */
export async function completeFile(
  { store }: Pick<ImportContext, 'store'>,
  id: number,
  receivedBytes: number,
): Promise<void> {
  await store.write(async (transaction) => {
    const row = await lockImport(transaction, id)
    if (row?.state !== 'receiving' || row.received_bytes !== receivedBytes) {
      throw fail('IMPORT_OFFSET', { receivedBytes: row?.received_bytes ?? 0 })
    }
    await updateImport(transaction, id, { state: 'checking' })
  })
}
