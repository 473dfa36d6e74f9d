import type { DatasetReader } from '../reading/dataset-reader.ts'
import { referenceBlobs } from '../store/blobs.ts'
import type { Dataset } from '../store/datasets.ts'
import { insertItem, type StoredValue } from '../store/items.ts'
import { requireTargets } from './require-targets.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Makes values that conform and were signed off the next item of a repository that is held.
 * @param hidden the datasets that their author may not read
 * @throws Failure DATA_NOT_CONFORMING where a reference leads to no committed item
 */
export async function becomeItem(
  transaction: Transaction,
  {
    datasets,
    repo,
    hidden,
  }: { datasets: DatasetReader; repo: Dataset; hidden: ReadonlySet<string> },
  item: { id: number; values: ReadonlyMap<string, StoredValue>; author: string },
): Promise<void> {
  const { values } = item
  await requireTargets(transaction, datasets, { schema: repo.schema, values, hidden })
  await insertItem(transaction, repo, item)
  const binaries = [...values.values()].filter(({ mime }) => mime !== undefined)
  await referenceBlobs(
    transaction,
    { datasetId: repo.id, itemId: item.id },
    binaries.map(({ sha256 }) => sha256),
  )
}
