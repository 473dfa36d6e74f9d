import type { Readable } from 'node:stream'

/**
 * Gathers a short value. One that is longer than `maxBytes` is undefined: its bytes are passed over,
 * and left unread once there are too many to be worth it.
 */
export async function readSmallValue(
  bytes: Readable,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else if (size > maxBytes + passedOverMax) return undefined
  }
  return size <= maxBytes ? Buffer.concat(chunks) : undefined
}

/** Bytes that are skipped to report what else is wrong with a form; a larger value is refused at once. */
const passedOverMax = 1024 ** 2

/** Passes over the bytes of a value that is not taken, as far as that is worth it. */
export async function passOver(bytes: Readable): Promise<void> {
  await readSmallValue(bytes, 0)
}
