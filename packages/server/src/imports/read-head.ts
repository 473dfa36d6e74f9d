import type { Blobs, Bytes } from '../blobs/blobs.ts'
import { readBlob } from '../blobs/read-blob.ts'
import { signatureBytes } from '../values/signatures.ts'

/** The first bytes of a blob, as many as tell its media type. */
export async function readBlobHead(blobs: Blobs, blob: Bytes): Promise<Uint8Array> {
  if (blob.size === 0) return new Uint8Array()
  const range = { start: 0, end: Math.min(blob.size, signatureBytes) - 1 }
  return new Uint8Array(await readBlob(blobs, blob, range))
}
