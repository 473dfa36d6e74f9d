import { mimeHeadBytes } from '@vitrine/rows/detect-mime'
import type { Blobs, Bytes } from '../blobs/blobs.ts'
import { readBlob } from '../blobs/read-blob.ts'
import { mimeOfHead } from '../values/detected-mime.ts'

/** The media type that the first bytes of a blob tell. */
export async function detectBlobMime(blobs: Blobs, blob: Bytes): Promise<string | undefined> {
  if (blob.size === 0) return undefined
  const range = { start: 0, end: Math.min(blob.size, mimeHeadBytes) - 1 }
  return mimeOfHead(new Uint8Array(await readBlob(blobs, blob, range)))
}
