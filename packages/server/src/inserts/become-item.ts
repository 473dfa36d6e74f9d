import { fail } from '../failure.ts'
import { referenceBlobs } from '../store/blobs.ts'
import { type Correction, findCorrectable, insertCorrection } from '../store/corrections.ts'
import type { Dataset } from '../store/datasets.ts'
import { insertItem, type StoredValue } from '../store/items.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Makes values that conform and were signed off the next item of a repository that is held.
 * @throws Failure ITEM_REPLACED where another item has replaced the one that it corrects
 */
export async function becomeItem(
  transaction: Transaction,
  repo: Dataset,
  item: {
    id: number
    values: ReadonlyMap<string, StoredValue>
    author: string
    correction?: Correction | undefined
  },
): Promise<void> {
  const { id, values, correction } = item
  const position = await insertItem(transaction, repo, item)
  if (correction !== undefined) {
    const place = { repoId: repo.id, id, position }
    if (!(await insertCorrection(transaction, place, correction))) {
      // What was written is undone with this write.
      const replaced = await findCorrectable(transaction, repo.id, correction.replaces)
      const replacedBy = replaced?.replacement?.id
      throw replacedBy === undefined ? fail('OVERLOADED') : fail('ITEM_REPLACED', { replacedBy })
    }
  }
  const binaries = [...values.values()].filter(({ mime }) => mime !== undefined)
  await referenceBlobs(
    transaction,
    { datasetId: repo.id, itemId: id },
    binaries.map(({ sha256 }) => sha256),
  )
}
