import { freeBytes } from '../free-bytes.ts'
import type { Blobs, ByteRange } from './blobs.ts'
import type { Sealed } from './spool.ts'

/** The bytes of a blob that fits into memory, or of a range of one. */
export async function readBlob(blobs: Blobs, sha256: string, range?: ByteRange): Promise<Buffer> {
  const chunks: Buffer[] = []
  const bytes = (await blobs.open(sha256, range)) as AsyncIterable<Buffer>
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The bytes of a whole blob in memory of their own, which can be handed to another thread. */
export async function readOwnBlob(
  blobs: Blobs,
  { sha256, size }: Sealed,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of (await blobs.open(sha256)) as AsyncIterable<Buffer>) {
    bytes.set(chunk, at)
    at += chunk.length
    freeBytes(chunk)
  }
  return bytes
}
