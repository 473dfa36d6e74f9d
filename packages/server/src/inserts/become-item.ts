import type { DatasetReader } from '../reading/dataset-reader.ts'
import { referenceBlobs } from '../store/blobs.ts'
import type { Dataset } from '../store/datasets.ts'
import { insertItem, type StoredValue } from '../store/items.ts'
import { requireTargets } from './require-targets.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Makes values that conform and were signed off the next item of a repository that is held.
 * @throws Failure DATA_NOT_CONFORMING where a reference leads to no committed item
 */
export async function becomeItem(
  transaction: Transaction,
  { datasets, repo }: { datasets: DatasetReader; repo: Dataset },
  item: { id: number; values: ReadonlyMap<string, StoredValue>; author: string },
): Promise<void> {
  await requireTargets(transaction, datasets, repo.schema, item.values)
  await insertItem(transaction, repo, item)
  const binaries = [...item.values.values()].filter(({ mime }) => mime !== undefined)
  await referenceBlobs(
    transaction,
    { datasetId: repo.id, itemId: item.id },
    binaries.map(({ sha256 }) => sha256),
  )
}
