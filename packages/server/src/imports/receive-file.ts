import type { ImportRow } from '../store/imports.ts'
import { lockImport, updateImport } from '../store/imports.ts'
import { insertImportBlobs } from '../store/import-blobs.ts'
import { exposeBlobs } from '../blobs/expose-blobs.ts'
import { fail } from '../failure.ts'
import type { ImportContext } from './import-context.ts'
import { Incoming, partBytes } from './incoming.ts'

/**
 * Appends bytes to the file of an import, as they come in: of a body that is cut off, all that came is
 * kept. `offset` says where in the file they begin; what is there already is passed over. With
 * `complete` they end the file, and so may not end before what is there.
 * @returns how many bytes the file has then
 * @throws Failure IMPORT_OFFSET, CONTENT_TOO_LARGE, STORAGE_FULL, and what reading `body` fails with
 */
export async function receiveFile(
  { store, blobs, maxBytes }: ImportContext,
  { id, received_bytes: received }: ImportRow,
  { offset, complete, body }: { offset: number; complete: boolean; body: AsyncIterable<Buffer> },
): Promise<number> {
  const incoming = new Incoming(body, received - offset)
  let start = received
  while (await incoming.hasMore()) {
    const blob = await blobs.receive(incoming.next(partBytes), { maxBytes: maxBytes - start })
    try {
      await exposeBlobs(store, [blob], async (transaction) => {
        const row = await lockImport(transaction, id)
        if (row?.state !== 'receiving' || row.received_bytes !== start) {
          throw fail('IMPORT_OFFSET', { receivedBytes: row?.received_bytes ?? 0 })
        }
        const { sha256, size } = blob
        const part = { kind: 'sent' as const, start, name: null, sha256, size }
        await insertImportBlobs(transaction, id, [part])
        await updateImport(transaction, id, { received_bytes: start + size })
      })
    } finally {
      await blob.discard()
    }
    start += blob.size
  }
  if (incoming.failure !== undefined) throw incoming.failure
  if (complete && incoming.leftToSkip > 0) {
    throw fail('IMPORT_OFFSET', { receivedBytes: received })
  }
  return start
}
