import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** A file of an archive. */
export type ArchivePart = {
  path: string
  bytes: AsyncIterable<Uint8Array> | Readable
  /** Whether it is worth to be compressed. */
  compress: boolean
}

/** The moment of all files, so that the same parts make the same archive. */
const mtime = new Date('2026-01-01T00:00:00Z')

/**
 * Writes a zip archive one part after the other, each asked for when the one before is written. Of what it has written
 * it holds names and sizes alone.
 * @param onFailed told of why a part cannot be read
 */
export async function* writeArchive(
  parts: AsyncIterable<ArchivePart>,
  onFailed: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const { default: yazl } = await import('yazl')
  const zip = new yazl.ZipFile()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  const fail = (error: unknown) => {
    if (!isLeft) onFailed(error)
    failed.reject(error)
  }
  zip.on('error', fail)
  let part: Readable | undefined
  let isLeft = false
  const addAll = async () => {
    for await (const { path, bytes, compress } of parts) {
      part = bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false })
      if (isLeft) part.destroy()
      const read = finished(part)
      zip.addReadStream(part, path, { compress, mtime })
      await read
    }
    zip.end()
  }
  addAll().catch(fail)
  const output = (zip.outputStream as Readable)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([output.next(), failed.promise])
      if (next.done === true) return
      yield next.value as Uint8Array
    }
  } finally {
    // The archive closes nothing of what it is made of when its reader leaves.
    isLeft = true
    part?.destroy()
  }
}
