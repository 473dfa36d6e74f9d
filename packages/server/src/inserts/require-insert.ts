import { fail } from '../failure.ts'
import { findDatasetById } from '../store/datasets.ts'
import { findInsert, renewInsert, type OwnInsert } from '../store/inserts.ts'
import { hasStoredItem } from '../store/items.ts'
import type { Db, Transaction } from '../store/store.ts'

/**
 * Refuses unless an insert is open, in time, and not committed.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED
 */
export async function requireOpenInsert(db: Db, insert: OwnInsert): Promise<void> {
  const stored = await findInsert(db, insert)
  if (stored?.isExpired === true) throw fail('INSERT_EXPIRED')
  if (stored !== undefined) return
  // The repository may have been deleted, and its items with it, since it was looked up by name.
  const { datasetId, itemId } = insert
  const repo = await findDatasetById(db, datasetId)
  const isCommitted = repo !== undefined && (await hasStoredItem(db, datasetId, itemId))
  throw fail(isCommitted ? 'INSERT_COMMITTED' : 'REPO_OR_ITEM_NOT_FOUND')
}

/**
 * Moves the deadline of an insert that is open, and keeps it so until this transaction is over.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, INSERT_EXPIRED, INSERT_COMMITTED
 */
export async function renewOpenInsert(
  transaction: Transaction,
  insert: OwnInsert,
  deadlineMs: number,
): Promise<void> {
  if (await renewInsert(transaction, insert, deadlineMs)) return
  await requireOpenInsert(transaction, insert)
  // It was not when it was to be renewed.
  throw fail('INSERT_EXPIRED')
}
