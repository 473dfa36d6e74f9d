import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceivedBlob } from './blobs.ts'
import { fail } from '../failure.ts'
import { clearDamage } from '../store/damage.ts'
import { claimBlob, countBlobRemovals, readBlobState, type BlobClaim } from '../store/blobs.ts'
import type { WriteOptions } from '../store/group-commit.ts'
import type { Db, Store, Transaction } from '../store/store.ts'

/** How long an upload waits for a collection that is removing the very bytes that it brings. */
const collectionMs = 30_000
const collectionPollMs = 20

/**
 * Publishes bytes; `takeLeases` writes the rows that hold them. The transaction that takes a lease makes
 * sure that the bytes are there: collection may have removed them since they were published, and then it
 * all begins again, from the bytes that are still kept aside. It asks the database alone, as a store of
 * blobs may be slow or down, and every other write would wait for it.
 *
 * @throws Failure OVERLOADED, STORAGE_FULL, and whatever `takeLeases` throws
 */
export async function exposeBlobs(
  store: Store,
  blobs: readonly ReceivedBlob[],
  takeLeases: (transaction: Transaction) => Promise<void>,
  {
    first,
    ...options
  }: WriteOptions & {
    /** Locks, before blobs are, what is always locked before them. */
    first?: (transaction: Transaction) => Promise<void>
  } = {},
): Promise<void> {
  const givenUpAt = performance.now() + collectionMs
  for (;;) {
    const digests = blobs.map(({ sha256 }) => sha256)
    const { removals, damaged } = await readBlobState(store.reads, digests)
    const replaced = await publishAll(blobs, damaged)
    try {
      return await store.write(async (transaction) => {
        await first?.(transaction)
        // In one order, so that of two who take the same none waits for the other.
        for (const blob of blobs.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))) {
          const claim = await claimBlob(transaction, blob)
          if (!(await isSafe(transaction, { claim, removals }))) throw new Collected()
        }
        if (replaced.length > 0) await clearDamage(transaction, replaced)
        await takeLeases(transaction)
      }, options)
    } catch (error) {
      if (!(error instanceof Collected)) throw error
      if (performance.now() > givenUpAt) throw fail('OVERLOADED')
      await sleep(collectionPollMs)
    }
  }
}

/** Blobs published side by side, which share the syncs of the disk's journal. */
const publishedAtOnce = 16

/** Returns the digests under which something was replaced. */
async function publishAll(
  blobs: readonly ReceivedBlob[],
  damaged: ReadonlySet<string>,
): Promise<string[]> {
  const replaced: string[] = []
  const publish = async (blob: ReceivedBlob) => {
    const isDamaged = damaged.has(blob.sha256)
    if (await blob.publish({ isDamaged })) replaced.push(blob.sha256)
  }
  for (let from = 0; from < blobs.length; from += publishedAtOnce) {
    const some = blobs.slice(from, from + publishedAtOnce)
    // All of them end before any is discarded.
    const outcomes = await Promise.allSettled(some.map(publish))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
  return replaced
}

/** Collection was faster; the write that meets this is undone and repeated. */
class Collected extends Error {
  override name = 'Collected'
}

/**
 * The bytes of a blob that is in use stay. A new one's may have gone with its row since they were
 * published, and then collection has dropped blobs meanwhile.
 */
async function isSafe(
  transaction: Db,
  { claim, removals }: { claim: BlobClaim; removals: number },
): Promise<boolean> {
  return (
    claim === 'live' || (claim === 'new' && (await countBlobRemovals(transaction)) === removals)
  )
}
