import { personOf, type Identity } from '../access/identity.ts'
import { fail } from '../failure.ts'
import {
  concurrencyKeyOf,
  type InsertCorrection,
  openInsert,
  putInsertValues,
} from '../store/inserts.ts'
import type { StoredValue } from '../store/items.ts'
import { recordPerson } from '../store/people.ts'
import type { InsertContext } from './insert-context.ts'
import type { Transaction } from '../store/store.ts'

/** About what an insert takes in the database and its log. */
const insertBytes = 16 * 1024

/**
 * Begins an insert: reserves the id of an item that is not visible before it is committed. A power cut before that
 * may take the insert with it; its commit would make it durable.
 * @param correction the item that it corrects, and values that it has from the beginning
 * @throws Failure REPO_OR_ITEM_NOT_FOUND, STORAGE_FULL
 */
export async function beginInsert(
  { store, blobs, repos, itemIds, deadlineMs }: InsertContext,
  repoName: string,
  identity: Identity,
  correction?: InsertCorrection & { kept: ReadonlyMap<string, StoredValue> },
): Promise<{ id: number; expiresAt: string }> {
  await blobs.requireRoom(insertBytes)
  const { id: datasetId } = await repos.require(repoName)
  const itemId = await itemIds.give(datasetId)
  if (itemId === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
  const person = personOf(identity)
  const open = async (transaction: Transaction) => {
    await recordPerson(transaction, person)
    const insert = { datasetId, itemId, createdBy: person.key, deadlineMs, correction }
    const expiresAt = await openInsert(transaction, insert)
    if (expiresAt !== undefined && correction !== undefined) {
      await putInsertValues(transaction, insert, correction.kept)
    }
    return expiresAt
  }
  const expiresAt = await store.write(open, {
    provisional: true,
    concurrencyKey: concurrencyKeyOf({ datasetId, itemId }),
  })
  if (expiresAt === undefined) throw fail('REPO_OR_ITEM_NOT_FOUND')
  return { id: itemId, expiresAt: new Date(expiresAt).toISOString() }
}
