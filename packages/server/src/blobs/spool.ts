import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { fail } from '../failure.ts'
import type { RequireRoom } from './disk-reserve.ts'

/** Chunks are gathered to this many bytes for one write, while the next ones are hashed. */
const writeBytes = 1024 ** 2

/** Bytes between two flushes to the disk, lest the final fsync find all of them waiting. */
const flushBytes = 128 * 1024 ** 2

/** The identity of bytes; the digest in lowercase hex. */
export type Sealed = { sha256: string; size: number }

export type SpoolOptions = {
  maxBytes: number
  requireRoom: RequireRoom
  /** Whether the bytes must be on the disk in the end. */
  isDurable: boolean
}

/** Writes and hashes side by side: one write is under way while the next bytes are hashed. */
export async function spool(
  source: AsyncIterable<Uint8Array>,
  file: FileHandle,
  { maxBytes, requireRoom, isDurable }: SpoolOptions,
): Promise<Sealed> {
  const hash = createHash('sha256')
  let size = 0
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let flushedBytes = 0
  let writing: Promise<void> = Promise.resolve()
  const write = async () => {
    await requireRoom(gatheredBytes)
    const chunks = gathered
    gathered = []
    gatheredBytes = 0
    await writing
    writing = writeAll(file, chunks)
    // Awaited above or below; this keeps it from counting as unhandled until then.
    writing.catch(() => {})
  }
  let flushing: Promise<void> = Promise.resolve()
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw fail('CONTENT_TOO_LARGE')
      hash.update(chunk)
      gathered.push(chunk)
      gatheredBytes += chunk.length
      if (gatheredBytes >= writeBytes) await write()
      if (isDurable && size - flushedBytes >= flushBytes) {
        flushedBytes = size
        await flushing
        flushing = file.datasync()
        flushing.catch(() => {})
      }
    }
    await write()
    await writing
    await flushing
    if (isDurable) await file.sync()
    return { sha256: hash.digest('hex'), size }
  } finally {
    await Promise.allSettled([writing, flushing])
  }
}

/** A write may take less than all when the disk is nearly full; the next one then says so. */
async function writeAll(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (bytes === 0) return
  const { bytesWritten } = await file.writev(chunks)
  if (bytesWritten < bytes) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten))
}
