import type { Bytes } from '../../blobs/blobs.ts'
import { checkBytes } from '../../blobs/check-blobs.ts'
import { DamagedBlob, reportDamage } from '../../blobs/read-blob.ts'
import { isUnreadableFile } from '../../blobs/files/durable-files.ts'
import { clearDamage, listDamage } from '../../store/damage.ts'
import { isLiveBlob, listLiveBlobs } from '../../store/blobs.ts'
import type { ScrubContext, ScrubStep } from './scrub.ts'

/** Blobs read before it is noted how far the round is. */
const windowRows = 20
/** Blobs with noted damage that a step reads once more. */
const recheckedMax = 500

/** Reads blobs with noted damage once more, those first that were not for longest; returns how many. */
export async function recheckBlobs(context: ScrubContext, step: ScrubStep): Promise<number> {
  const noted = await listDamage(context.store.reads, recheckedMax)
  for (const blob of noted) {
    if (await step.work(() => checkBlob(context, blob, step.signal))) {
      await context.store.write((transaction) => clearDamage(transaction, [blob.sha256]))
    }
  }
  return noted.length
}

/**
 * Reads blobs from the digest that a round has come to on to the one that is as far among all digests as
 * the round shall be: digests are spread evenly, so nothing has to be counted.
 */
export async function scrubBlobs(context: ScrubContext, step: ScrubStep): Promise<number> {
  const due = digestAt(step.share)
  let read = 0
  for (;;) {
    const listed = await listLiveBlobs(context.store.reads, step.round.readTo, windowRows)
    const blobs = listed.filter(({ sha256 }) => sha256 <= due)
    for (const blob of blobs) await step.work(() => checkBlob(context, blob, step.signal))
    read += blobs.length
    if (blobs.length === 0) return read
    await step.save({ readTo: blobs.at(-1)!.sha256 })
  }
}

/** Returns whether a blob is whole. */
async function checkBlob(
  context: ScrubContext,
  blob: Bytes,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, blobs, logger } = context
  const { sha256 } = blob
  let what: string | undefined
  try {
    what = await checkBytes(blobs, blob, signal)
  } catch (error) {
    if (!isUnreadableFile(error)) throw error
    logger.error({ err: error, sha256 }, 'a blob cannot be read')
    return false
  }
  if (what === undefined) return true
  // It may have been collected meanwhile.
  if (await isLiveBlob(store.reads, sha256)) {
    await reportDamage(context, new DamagedBlob(sha256, what))
  }
  return false
}

/** Returns the digest below which a share of all digests is. */
function digestAt(share: number): string {
  if (share >= 1) return 'g'
  const digits = 12
  return Math.max(0, Math.floor(share * 16 ** digits))
    .toString(16)
    .padStart(digits, '0')
}
