import type { IntegrityByField } from '@vitrine/contract'
import { personOf, type Author } from '../access/identity.ts'
import { exposeBlobs } from '../blobs/expose-blobs.ts'
import { fail } from '../failure.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import { findAddedItem, noteAddedItem } from '../store/added-items.ts'
import type { Dataset } from '../store/datasets.ts'
import { concurrencyKeyOf } from '../store/inserts.ts'
import { recordPerson } from '../store/people.ts'
import { afterImports, holdForItem } from './after-imports.ts'
import { becomeItem } from './become-item.ts'
import type { InsertContext } from './insert-context.ts'
import { receiveValues, type ReceivedValues, type SentValues } from './receive-values.ts'
import { requireIntegrity } from './require-integrity.ts'
import { requireSameCommit } from './require-same-commit.ts'
import { catchUpTargets, requireTargets } from './require-targets.ts'
import type { Transaction } from '../store/store.ts'
import { listHiddenTargets } from '../store/visibility.ts'

/** About what an item takes in the database and its log beside its texts. */
const itemBytes = 16 * 1024

type Added = {
  id: number
  /** Whether it was there already, under the same key. */
  isRepeated: boolean
}

/**
 * Adds an item in one request, with the checks of an insert: nothing of it is kept before all of it is. Under
 * the same key, the same again changes nothing and succeeds.
 *
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_COMMITTED where the key is that of another item,
 *   FIELD_NOT_IN_SCHEMA, REQUEST_INVALID, CONTENT_TOO_LARGE, DATA_NOT_CONFORMING, INTEGRITY_MISMATCH, STORAGE_FULL,
 *   OVERLOADED, and whatever reading `sent` fails with
 */
export async function addItem(
  context: InsertContext & { datasets: DatasetReader },
  { repoName, identity, visibility, key }: Author & { repoName: string; key: string },
  sent: {
    values: SentValues
    /** Gives what the sender signs off, once all values were read. */
    integrity: () => IntegrityByField
  },
): Promise<Added> {
  const { store, blobs, repos, itemIds, datasets } = context
  await blobs.requireRoom(itemBytes)
  const repo = await repos.require(repoName)
  const person = personOf(identity)
  const author = person.key
  const addition = { datasetId: repo.id, createdBy: author, key }
  const received: ReceivedValues = { values: new Map(), blobs: [] }
  try {
    await receiveValues(context, repo.schema, sent.values, received)
    const { values } = received
    const integrity = sent.integrity()
    requireIntegrity(repo.schema, values, integrity)
    await catchUpTargets(datasets, repo.schema)
    const hidden = await listHiddenTargets(store.reads, repo.schema, visibility)
    const id = await itemIds.give(repo.id)
    if (id === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
    let held: Dataset
    const hold = async (transaction: Transaction) => {
      held = await holdForItem(transaction, repos, repoName)
      // Its name may have gone to another repository while this was received.
      if (held.id !== repo.id) throw fail('REPO_OR_ITEM_NOT_FOUND')
      if (!(await noteAddedItem(transaction, addition, id))) throw new KeyTaken()
    }
    const keep = async (transaction: Transaction) => {
      await recordPerson(transaction, person)
      await requireTargets(transaction, datasets, { schema: held.schema, values, hidden })
      await becomeItem(transaction, held, { id, values, author })
    }
    try {
      const concurrencyKey = concurrencyKeyOf({ datasetId: repo.id, itemId: id })
      await afterImports(() =>
        exposeBlobs(store, received.blobs, keep, { first: hold, concurrencyKey }),
      )
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      const before = await findAddedItem(store.reads, addition)
      if (before === undefined) throw fail('OVERLOADED')
      await requireSameCommit(store.reads, repo, before, integrity)
      return { id: before, isRepeated: true }
    }
    return { id, isRepeated: false }
  } finally {
    for (const blob of received.blobs) await blob.discard()
  }
}

/** Thrown where the item is there already; the write that meets this is undone, and its id is a gap. */
class KeyTaken extends Error {
  override name = 'KeyTaken'
}
