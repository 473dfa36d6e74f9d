import { identityKey, type Identity } from '../access/identity.ts'
import { openInsert } from '../store/inserts.ts'
import type { InsertContext } from './insert-context.ts'
import { holdRepo } from './require-insert.ts'

/** About what an insert takes in the database and its log. */
const insertBytes = 16 * 1024

/**
 * Begins an insert: reserves the id of an item that is not visible before it is committed.
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, STORAGE_FULL
 */
export async function beginInsert(
  { store, blobs, deadlineMs }: InsertContext,
  repoName: string,
  identity: Identity,
): Promise<{ id: number; expiresAt: string }> {
  await blobs.requireRoom(insertBytes)
  return store.write(async (transaction) => {
    const repo = await holdRepo(transaction, repoName)
    const { itemId, expiresAt } = await openInsert(transaction, {
      datasetId: repo.id,
      createdBy: identityKey(identity),
      deadlineMs,
    })
    return { id: itemId, expiresAt: new Date(expiresAt).toISOString() }
  })
}
