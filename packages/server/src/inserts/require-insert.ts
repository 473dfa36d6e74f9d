import type { Transaction } from 'kysely'
import { fail } from '../failure.ts'
import { findDataset, findDatasetById, lockDataset, type Dataset } from '../store/datasets.ts'
import { findInsert, lockInsert, type OwnInsert } from '../store/inserts.ts'
import { hasStoredItem } from '../store/items.ts'
import type { Db } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

/**
 * The repository that items are added to; nothing is ever added to a view.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND
 */
export async function requireRepo(db: Db, name: string): Promise<Dataset> {
  return expectRepo(await findDataset(db, name))
}

/**
 * The same, and nobody else adds items to it before this transaction is over.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND
 */
export async function holdRepo(transaction: Transaction<Tables>, name: string): Promise<Dataset> {
  return expectRepo(await lockDataset(transaction, name))
}

function expectRepo(dataset: Dataset | undefined): Dataset {
  if (dataset?.kind !== 'repo') throw fail('REPO_OR_ITEM_NOT_FOUND')
  return dataset
}

/**
 * Refuses unless an insert is open, in time, and not committed.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED
 */
export async function requireOpenInsert(db: Db, insert: OwnInsert): Promise<void> {
  await requireOpen(db, insert, await findInsert(db, insert))
}

/**
 * The same, and it stays open until this transaction is over.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED
 */
export async function holdOpenInsert(
  transaction: Transaction<Tables>,
  insert: OwnInsert,
): Promise<void> {
  await requireOpen(transaction, insert, await lockInsert(transaction, insert))
}

async function requireOpen(
  db: Db,
  { datasetId, itemId }: OwnInsert,
  found: Awaited<ReturnType<typeof findInsert>>,
): Promise<void> {
  if (found?.isExpired === true) throw fail('INSERT_EXPIRED')
  if (found !== undefined) return
  // The repository may have been deleted, and its items with it, since it was looked up by name.
  const repo = await findDatasetById(db, datasetId)
  const isCommitted = repo !== undefined && (await hasStoredItem(db, datasetId, itemId))
  throw fail(isCommitted ? 'INSERT_COMMITTED' : 'REPO_OR_ITEM_NOT_FOUND')
}
