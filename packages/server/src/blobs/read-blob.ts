import { freeBytes } from '../runtime/gc.ts'
import type { Blobs, ByteRange } from './blobs.ts'
import type { Sealed } from './spool.ts'

/** The bytes of a blob that fits into memory, or of a range of one. */
export async function readBlob(blobs: Blobs, bytes: Sealed, range?: ByteRange): Promise<Buffer> {
  const chunks: Buffer[] = []
  const read = (await blobs.open(bytes, range)) as AsyncIterable<Buffer>
  for await (const chunk of read) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The bytes of a whole blob in memory of their own, which can be handed to another thread. */
export async function readOwnBlob(blobs: Blobs, blob: Sealed): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(blob.size)
  let at = 0
  for await (const chunk of (await blobs.open(blob)) as AsyncIterable<Buffer>) {
    bytes.set(chunk, at)
    at += chunk.length
    freeBytes(chunk)
  }
  return bytes
}
