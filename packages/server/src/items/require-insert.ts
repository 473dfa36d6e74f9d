import { fail } from '../failure.ts'
import { findDataset, findDatasetById, type Dataset } from '../store/datasets.ts'
import { findInsert, type InsertKey } from '../store/inserts.ts'
import { hasStoredItem } from '../store/items.ts'
import type { Db } from '../store/store.ts'

/**
 * The repository that items are added to; nothing is ever added to a view.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND
 */
export async function requireRepo(db: Db, name: string): Promise<Dataset> {
  const dataset = await findDataset(db, name)
  if (dataset?.kind !== 'repo') throw fail('REPO_OR_ITEM_NOT_FOUND')
  return dataset
}

/**
 * Refuses unless an insert is open, in time, and not committed.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED
 */
export async function requireOpenInsert(db: Db, key: InsertKey): Promise<void> {
  const insert = await findInsert(db, key)
  if (insert?.isExpired === true) throw fail('INSERT_EXPIRED')
  if (insert !== undefined) return
  // The repository may have been deleted, and its items with it, since it was looked up by name.
  const repo = await findDatasetById(db, key.datasetId)
  const isCommitted = repo !== undefined && (await hasStoredItem(db, key.datasetId, key.itemId))
  throw fail(isCommitted ? 'INSERT_COMMITTED' : 'REPO_OR_ITEM_NOT_FOUND')
}
