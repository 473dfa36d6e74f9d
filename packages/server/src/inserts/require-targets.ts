import { quote, type Problem, type SchemaField } from '@vitrine/contract'
import { failAt } from '../failure.ts'
import { hasStoredItem, type StoredValue } from '../store/items.ts'
import type { Db } from '../store/store.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'

/**
 * Refuses references to what is no committed item.
 * @throws Failure DATA_NOT_CONFORMING, naming the fields
 */
export async function requireTargets(
  db: Db,
  datasets: DatasetReader,
  {
    schema,
    values,
    hidden,
  }: {
    schema: readonly SchemaField[]
    values: ReadonlyMap<string, StoredValue>
    /** Datasets that whoever adds the item may not read: of their items none is known. */
    hidden: ReadonlySet<string>
  },
): Promise<void> {
  const problems: Problem[] = []
  for (const field of schema) {
    const value = values.get(field.name)
    if (field.type !== 'reference' || value === undefined) continue
    const id = Number(value.cell)
    const target = hidden.has(field.target) ? undefined : await datasets.find(field.target)
    // Views are caught up outside of any transaction, and see what was committed.
    const isThere =
      target !== undefined &&
      (target.isWhole ? await hasStoredItem(db, target.repoId, id) : await target.items.has(id))
    if (!isThere) {
      const reason = `there is no item ${id} in ${quote(field.target)}`
      problems.push({ path: [field.name], reason })
    }
  }
  if (problems.length > 0) throw failAt('DATA_NOT_CONFORMING', problems)
}

/**
 * Lets the views that a repository refers to know all items that are there now. It cannot be done within
 * the transaction of a commit, as they are written to.
 * @throws Failure VIEW_NOT_READY when that takes too long
 */
export async function catchUpTargets(
  datasets: DatasetReader,
  schema: readonly SchemaField[],
): Promise<void> {
  for (const field of schema) {
    if (field.type !== 'reference') continue
    const target = await datasets.find(field.target)
    if (target !== undefined) await datasets.catchUp(target)
  }
}
