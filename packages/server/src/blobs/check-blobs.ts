import { createHash } from 'node:crypto'
import { isLiveBlob, listKnownBlobs, listLiveBlobs } from '../store/blobs.ts'
import type { Db } from '../store/store.ts'
import type { Blobs, Bytes } from './blobs.ts'
import { DamagedBlob } from './read-blob.ts'
import { isUnreadableFile } from './files/durable-files.ts'

const windowRows = 500

/** A damaged or unreferenced blob. */
export type BlobFinding = { isDamage: boolean; sha256: string; what: string }

/** Reads every blob and checks its bytes against its digest, and that it has a row and a holder. */
export async function* checkBlobs(db: Db, blobs: Blobs): AsyncGenerator<BlobFinding> {
  let after = ''
  for (;;) {
    const listed = await listLiveBlobs(db, after, windowRows)
    for (const { sha256, size, isHeld } of listed) {
      if (!isHeld) yield { isDamage: false, sha256, what: 'nobody holds it' }
      const what = await checkBytes(blobs, { sha256, size }).catch(describeUnreadable)
      // What was collected meanwhile is not missing.
      if (what !== undefined && (await isLiveBlob(db, sha256))) {
        yield { isDamage: true, sha256, what }
      }
    }
    const last = listed.at(-1)
    if (last === undefined) break
    after = last.sha256
  }
  yield* checkRows(db, blobs)
}

/**
 * Reads a blob; returns what is wrong with its bytes. What cannot be read is not known to be damaged.
 * @throws the error of a read that fails
 */
export async function checkBytes(
  blobs: Blobs,
  { sha256, size }: Bytes,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of (await blobs.open({ sha256, size })) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted()
      hash.update(chunk)
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof DamagedBlob) return error.what
    throw error
  }
  return hash.digest('hex') === sha256 ? undefined : 'its bytes are not those of its digest'
}

/** Describes the damage of a file that cannot be read while others can. */
function describeUnreadable(error: unknown): string {
  if (!isUnreadableFile(error)) throw error
  return `its bytes cannot be read: ${(error as Error).message}`
}

/** Bytes that no row tells of. */
async function* checkRows(db: Db, blobs: Blobs): AsyncGenerator<BlobFinding> {
  for await (const { sha256 } of blobs.list()) {
    const recorded = await listKnownBlobs(db, [sha256])
    if (recorded.size === 0)
      yield { isDamage: false, sha256, what: 'there are bytes without a row' }
  }
}
