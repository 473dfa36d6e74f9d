import { Failure } from '../failure.ts'
import type { Blobs } from './blobs.ts'
import { DamagedBlob } from './damaged-blob.ts'
import { codeOf } from './durable-files.ts'

/**
 * Copies a blob into a store, if its bytes are those of its digest.
 * @param open opens the bytes to be copied
 * @returns its size
 * @throws DamagedBlob
 */
export async function copyBlob(
  open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
  target: Blobs,
  { sha256, size }: { sha256: string; size?: number | undefined },
): Promise<number> {
  const received = await target.receive(readable(open, sha256), { maxBytes: Infinity })
  try {
    if (received.sha256 !== sha256 || (size !== undefined && received.size !== size)) {
      throw new DamagedBlob(sha256, 'its bytes are not those of its digest')
    }
    await received.publish()
    return received.size
  } finally {
    await received.discard()
  }
}

/** Tells bytes that cannot be read from a store that cannot be written. */
async function* readable(
  open: Parameters<typeof copyBlob>[0],
  sha256: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* await open()
  } catch (cause) {
    // The whole store or this process fails, not this blob.
    if (cause instanceof Failure || ['EMFILE', 'ENFILE'].includes(codeOf(cause) ?? '')) throw cause
    const { message } = cause as Error
    throw new DamagedBlob(sha256, `its bytes cannot be read (${message})`, cause)
  }
}
