import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Bytes, ByteRange } from './blobs.ts'
import { missingBytes, otherSize } from './damaged-blob.ts'
import { codeOf } from './durable-files.ts'

/** How much is read ahead of a slow reader. */
const readAheadBytes = 256 * 1024

/**
 * Opens a blob that is a file, and compares its size before anything is read. It gives exactly as many
 * bytes as were asked for; where the file is cut short meanwhile, reading fails.
 * @throws DamagedBlob
 */
export async function openFile(path: string, bytes: Bytes, range?: ByteRange): Promise<Readable> {
  const { sha256, size } = bytes
  const file = await open(path).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? missingBytes(sha256, error) : error
  })
  try {
    const found = await file.stat()
    if (found.size !== size) throw otherSize(sha256, found.size, size)
  } catch (error) {
    await file.close()
    throw error
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const stream = Readable.from(chunks(file, bytes, { start, end }), {
    objectMode: false,
    highWaterMark: readAheadBytes,
  })
  // Of a reader that leaves before it read anything the generator never hears.
  stream.once('close', () => void file.close())
  return stream
}

async function* chunks(file: FileHandle, { sha256, size }: Bytes, { start, end }: ByteRange) {
  let at = start
  while (at <= end) {
    const length = Math.min(readAheadBytes, end + 1 - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at)
    if (bytesRead === 0) throw otherSize(sha256, at, size)
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
