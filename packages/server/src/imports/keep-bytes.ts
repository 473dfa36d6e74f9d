// Runs on the main thread.

import { exposeBlobs } from '../blobs/expose-blobs.ts'
import { mimeHeadBytes } from '@vitrine/rows/detect-mime'
import { mimeOfHead } from '../values/media-type.ts'
import type { ReceivedBlob } from '../blobs/blobs.ts'
import { countImportBlobs, insertImportBlobs } from '../store/import-blobs.ts'
import { lockImport } from '../store/imports.ts'
import type { ImportContext } from './import-context.ts'
import type { FoundBytes } from './rows/lookups.ts'

/** Bytes exposed in one write. */
const exposedAtOnce = 64

/**
 * Keeps bytes that stand in rows themselves as blobs, by their digests; they are leased from then on.
 * @throws Failure CONTENT_TOO_LARGE, STORAGE_FULL
 */
export async function keepBytes(
  context: ImportContext,
  importId: number,
  values: ReadonlyMap<string, Uint8Array>,
): Promise<Map<string, FoundBytes>> {
  const stored = new Map<string, FoundBytes>()
  const waiting = [...values]
  while (waiting.length > 0) {
    const some = waiting.splice(0, exposedAtOnce)
    await expose(
      context,
      importId,
      some.map(([, bytes]) => bytes),
    )
    for (const [sha256, bytes] of some) {
      const detected = await mimeOfHead(bytes.subarray(0, mimeHeadBytes))
      stored.set(sha256, { sha256, size: bytes.length, detected })
    }
  }
  return stored
}

async function expose(
  { store, blobs, maxBytes }: ImportContext,
  importId: number,
  values: readonly Uint8Array[],
): Promise<void> {
  const received: ReceivedBlob[] = []
  try {
    for (const bytes of values) received.push(await blobs.receive(once(bytes), { maxBytes }))
    await exposeBlobs(store, received, async (transaction) => {
      // Blocks are checked side by side, and each counts on from what the others have.
      await lockImport(transaction, importId)
      const start = await countImportBlobs(transaction, importId, 'held')
      const held = received.map(({ sha256, size }, index) => {
        return { kind: 'held' as const, start: start + index, name: null, sha256, size }
      })
      await insertImportBlobs(transaction, importId, held)
    })
  } finally {
    for (const blob of received) await blob.discard()
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
