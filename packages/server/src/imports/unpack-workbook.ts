// Runs on the main thread.

import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { workbookNotes } from '@vitrine/rows/describe/describe-rows'
import type { Lease } from '../store/leases.ts'
import { updateImport } from '../store/imports.ts'
import { keepRows } from './archives/unpack-archive.ts'
import { answersFor, runCheck } from './check-pool.ts'
import type { ImportContext } from './import-context.ts'
import type { ImportOptions } from './import-options.ts'
import { type ImportedFile, malformed } from './import-file.ts'

/**
 * Reads a sheet of a workbook in a thread, and keeps its rows as lines (`rows/sheet-row.ts`). What is to be known of
 * the sheet beside them becomes notes of the import.
 * @throws Failure IMPORT_MALFORMED, STORAGE_FULL
 */
export async function unpackWorkbook(
  context: ImportContext,
  {
    importId,
    file,
    options: { sheet, skip, null: nullText, header },
    lease,
  }: { importId: number; file: ImportedFile; options: ImportOptions; lease: Lease },
): Promise<void> {
  const lines = new PassThrough()
  const session = context.checkPool.openSession({
    ...answersFor(file),
    keep: async (bytes) => {
      if (!lines.write(bytes)) await once(lines, 'drain')
      return { answer: undefined }
    },
  })
  const unpacked = runCheck(session, 'unpack', {
    fileBytes: file.size,
    options: { sheet, skip, null: nullText, header },
  }).then((reply) => {
    if (!reply.ok) throw malformed(reply.reason)
    lines.end()
    return reply.value
  })
  let failure: Error | undefined
  // Reading the lines would take any error for one of the file.
  unpacked.catch((error: Error) => {
    failure = error
    lines.destroy(error)
  })
  // An error that comes before anybody reads would end the process.
  lines.on('error', () => {})
  try {
    const open = async () => lines
    await keepRows(context, importId, { entry: { name: 'of the sheet', size: 0, open }, lease })
    const notes = workbookNotes(await unpacked)
    await context.store.write((transaction) =>
      updateImport(transaction, importId, { notes: JSON.stringify(notes) }),
    )
  } catch (error) {
    throw failure ?? error
  } finally {
    if (session.isBusy) await session.terminate()
    session.close()
  }
}
