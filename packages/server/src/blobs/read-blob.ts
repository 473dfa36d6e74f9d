import type { BaseLogger } from 'pino'
import { freeBytes } from '../runtime/gc.ts'
import type { Blobs, ByteRange } from './blobs.ts'
import type { Sealed } from './spool.ts'
import { Failure } from '../failure.ts'
import { codeOf } from './files/durable-files.ts'
import { countDamage, listHolders, recordDamage } from '../store/damage.ts'
import type { Store } from '../store/store.ts'

/** The bytes of a blob that fits into memory, or of a range of one. */
export async function readBlob(blobs: Blobs, bytes: Sealed, range?: ByteRange): Promise<Buffer> {
  const chunks: Buffer[] = []
  const read = (await blobs.open(bytes, range)) as AsyncIterable<Buffer>
  for await (const chunk of read) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The bytes of a whole blob in memory of their own, which can be handed to another thread. */
export async function readOwnBlob(blobs: Blobs, blob: Sealed): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(blob.size)
  let at = 0
  for await (const chunk of (await blobs.open(blob)) as AsyncIterable<Buffer>) {
    bytes.set(chunk, at)
    at += chunk.length
    freeBytes(chunk)
  }
  return bytes
}

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

/** The bytes of a blob are gone, or are not as many as were sealed, or other ones. */
export class DamagedBlob extends Failure {
  readonly sha256: string
  /** A sentence about the blob without its subject, such as `it has 3 bytes, not 5`. */
  readonly what: string

  constructor(sha256: string, what: string, cause?: unknown) {
    super('VALUE_DAMAGED', { cause })
    this.message = `The blob ${sha256} is damaged: ${what}.`
    this.sha256 = sha256
    this.what = what
  }
}

export function missingBytes(sha256: string, cause: unknown): DamagedBlob {
  return new DamagedBlob(sha256, 'its bytes are missing', cause)
}

export function otherSize(sha256: string, actual: number, size: number): DamagedBlob {
  return new DamagedBlob(sha256, `it has ${actual} bytes, not ${size}`)
}

/** Values named in one line of the log. */
const namedMax = 20

export type DamageReport = { store: Store; blobs: Blobs; logger: Pick<BaseLogger, 'fatal'> }

/** Logs damage that reading a blob met, with the values that have it, and notes it. It never throws. */
export async function reportDamage(
  { store, blobs, logger }: DamageReport,
  error: unknown,
): Promise<void> {
  if (!(error instanceof DamagedBlob)) return
  const { sha256, what, cause } = error
  const facts = { sha256, what, ...(cause !== undefined && { err: cause }) }
  try {
    const values = await listHolders(store.reads, sha256, namedMax, 'all')
    logger.fatal({ ...facts, values }, 'the bytes of a committed value are damaged')
    await store.write((transaction) => recordDamage(transaction, { sha256, what }))
    blobs.health.damaged = await countDamage(store.reads)
  } catch (failed) {
    logger.fatal({ ...facts, err: failed }, 'the damage of a blob could not be noted')
  }
}
