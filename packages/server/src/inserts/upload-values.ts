import type { Seal } from '@vitrine/contract'
import { identityKey, type Identity } from '../access/identity.ts'
import { concurrencyKeyOf, putInsertValues } from '../store/inserts.ts'
import { exposeBlobs } from '../blobs/expose-blobs.ts'
import type { InsertContext } from './insert-context.ts'
import { keepInsertOpen } from './keep-insert-open.ts'
import { receiveValues, type ReceivedValues, type SentValues } from './receive-values.ts'
import { renewOpenInsert, requireOpenInsert } from './require-insert.ts'
import { sealOf } from './seal.ts'
import type { Transaction } from '../store/store.ts'

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
  context: InsertContext,
  { repoName, itemId, identity }: { repoName: string; itemId: number; identity: Identity },
  sent: {
    values: SentValues
    /** Source of the values, which is destroyed when the insert is gone. */
    body: { destroy: (error: Error) => void }
  },
): Promise<{ fields: Record<string, Seal> }> {
  const { store, blobs, repos, deadlineMs } = context
  const repo = await repos.require(repoName)
  const insert = { datasetId: repo.id, itemId, createdBy: identityKey(identity) }
  await requireOpenInsert(store.reads, insert)

  const received: ReceivedValues = { values: new Map(), blobs: [] }
  using _open = keepInsertOpen(context, insert, (error) => sent.body.destroy(error))
  try {
    await receiveValues(context, repo.schema, sent.values, received)
    await blobs.requireRoom(textCopies * textBytesOf(received))
    const hold = async (transaction: Transaction) => {
      await renewOpenInsert(transaction, insert, deadlineMs)
      await putInsertValues(transaction, insert, received.values)
    }
    await exposeBlobs(store, received.blobs, hold, {
      provisional: true,
      concurrencyKey: concurrencyKeyOf(insert),
    })
  } finally {
    for (const blob of received.blobs) await blob.discard()
  }
  const seals = [...received.values].map(([name, value]) => [name, sealOf(value)] as const)
  return { fields: Object.fromEntries(seals) }
}

/** A text is written for the insert and for the item, each time into the log and into the file. */
const textCopies = 4

function textBytesOf({ values }: ReceivedValues): number {
  const texts = [...values.values()].filter(({ mime }) => mime === undefined)
  return texts.reduce((sum, value) => sum + sealOf(value).size, 0)
}
