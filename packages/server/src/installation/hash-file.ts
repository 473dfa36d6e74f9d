import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Computes the sha256 of a file, and its size in bytes. */
export async function hashFile(
  path: string,
  signal: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    digest.update(chunk)
    size += chunk.length
  }
  return { sha256: digest.digest('hex'), size }
}
