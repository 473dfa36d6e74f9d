// Runs on the main thread.

import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { unpackedMax, unpacksTooFar } from '@vitrine/rows/unpacked-bound'
import type { Lease } from '../store/leases.ts'
import { keepRows } from './archives/unpack-archive.ts'
import type { ImportContext } from './import-context.ts'
import { type ImportedFile, malformed } from './import-file.ts'

/** Whether a file begins as gzip does (RFC 1952 §2.3.1). */
export async function isGzip(file: ImportedFile): Promise<boolean> {
  return (await file.read(0, Math.min(2, file.size))).toString('hex') === '1f8b'
}

/**
 * Unpacks a file of rows or a tar archive that is compressed by gzip, as parts of a file.
 * @throws Failure IMPORT_MALFORMED, CONTENT_TOO_LARGE, STORAGE_FULL
 */
export async function unpackGzip(
  context: ImportContext,
  {
    importId,
    file,
    encoding,
    lease,
    kind,
  }: {
    importId: number
    file: ImportedFile
    encoding?: string | undefined
    lease: Lease
    kind: 'rows' | 'tar'
  },
): Promise<void> {
  const open = async () => Readable.from(gunzip(file), { objectMode: false })
  await keepRows(context, importId, {
    entry: { name: 'in gzip', size: 0, open },
    encoding,
    lease,
    kind,
  })
}

async function* gunzip(file: ImportedFile): AsyncGenerator<Buffer> {
  const bytesMax = unpackedMax(file.size)
  let bytes = 0
  const source = Readable.from(file.stream(), { objectMode: false })
  for await (const chunk of pipeline(source, createGunzip(), () => {}) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw malformed(unpacksTooFar)
    yield chunk
  }
}
