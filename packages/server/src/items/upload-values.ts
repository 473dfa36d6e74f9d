import { setTimeout as sleep } from 'node:timers/promises'
import type { Seal } from '@vitrine/contract'
import type { ReceivedBlob } from '../blobs/blobs.ts'
import { fail } from '../failure.ts'
import { claimBlob, type BlobClaim } from '../store/blobs.ts'
import { putInsertValues, renewInsert, type InsertKey } from '../store/inserts.ts'
import type { Inserting } from './inserting.ts'
import { keepInsertOpen } from './keep-insert-open.ts'
import { receiveValues, type ReceivedValues, type SentValues } from './receive-values.ts'
import { requireOpenInsert, requireRepo } from './require-insert.ts'
import { sealOf } from './seal.ts'

/** How long an upload waits for a collection that is removing the very bytes that it brings. */
const collectionMs = 30_000
const collectionPollMs = 20

/**
 * Takes in values of an open insert. They replace those that were uploaded for the same fields before,
 * all in one step once every byte is in; of uploads that run at once, the last to end wins whole.
 *
 * @returns what was received of each field
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED, FIELD_NOT_IN_SCHEMA,
 *   REQUEST_INVALID, CONTENT_TOO_LARGE, DATA_NOT_CONFORMING, STORAGE_FULL, OVERLOADED, and whatever
 *   reading `sent` fails with
 */
export async function uploadValues(
  inserting: Inserting,
  { repoName, itemId }: { repoName: string; itemId: number },
  sent: SentValues,
): Promise<{ fields: Record<string, Seal> }> {
  const { store, blobs } = inserting
  const repo = await requireRepo(store.reads, repoName)
  const key = { datasetId: repo.id, itemId }
  await requireOpenInsert(store.reads, key)

  const received: ReceivedValues = { values: new Map(), blobs: [], reading: undefined }
  using _open = keepInsertOpen(inserting, key, (error) => received.reading?.destroy(error))
  try {
    await receiveValues(inserting, repo.schema, sent, received)
    await blobs.requireRoom(textCopies * textBytesOf(received))
    await exposeValues(inserting, key, received)
  } finally {
    for (const blob of received.blobs) await blob.discard()
  }
  const seals = [...received.values].map(([name, value]) => [name, sealOf(value)] as const)
  return { fields: Object.fromEntries(seals) }
}

/**
 * Publishes the bytes and takes their leases. The transaction that takes a lease makes sure that the
 * bytes are there: collection may have removed them since they were published, and then it all begins
 * again, from the bytes that are still kept aside.
 */
async function exposeValues(
  { store, deadlineMs }: Inserting,
  key: InsertKey,
  { values, blobs }: ReceivedValues,
): Promise<void> {
  const givenUpAt = performance.now() + collectionMs
  for (;;) {
    for (const blob of blobs) await blob.publish()
    try {
      return await store.write(async (transaction) => {
        await requireOpenInsert(transaction, key)
        for (const blob of blobs) {
          if (!(await isSafe(blob, await claimBlob(transaction, blob)))) throw new Collected()
        }
        await putInsertValues(transaction, key, values)
        await renewInsert(transaction, key, deadlineMs)
      })
    } catch (error) {
      if (!(error instanceof Collected)) throw error
      if (performance.now() > givenUpAt) throw fail('OVERLOADED')
      await sleep(collectionPollMs)
    }
  }
}

/** A text is written for the insert and for the item, each time into the log and into the file. */
const textCopies = 4

function textBytesOf({ values }: ReceivedValues): number {
  const texts = [...values.values()].filter(({ type }) => type === 'string')
  return texts.reduce((sum, value) => sum + sealOf(value).size, 0)
}

/** Collection was faster; the write that meets this is undone and repeated. */
class Collected extends Error {
  override name = 'Collected'
}

/** The bytes of a blob that is in use stay; of a new one nobody else has made sure yet. */
async function isSafe(blob: ReceivedBlob, claim: BlobClaim): Promise<boolean> {
  return claim === 'live' || (claim === 'new' && (await blob.isPublished()))
}
