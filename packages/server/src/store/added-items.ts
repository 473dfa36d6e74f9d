import { sha256Bytes } from './digest-bytes.ts'
import { sql } from 'kysely'
import { now } from './engine-sql.ts'
import { statement } from './statement.ts'
import type { Db, Transaction } from './store.ts'

/** Key by which one person makes an addition to a repository happen once. */
export type AdditionKey = { datasetId: number; createdBy: string; key: string }

/** Finds the item that was added under a key. */
export async function findAddedItem(db: Db, addition: AdditionKey): Promise<number | undefined> {
  return (await selectAdded(db, { digest: digestOf(addition) }))[0]?.itemId
}

const selectAdded = statement<{ digest: Uint8Array }, { itemId: number }>(
  (slot) => sql`select item_id as "itemId" from added_items where key = ${slot('digest')}`,
)

/** Notes the item that is added under a key; says whether the key was free. */
export async function noteAddedItem(
  transaction: Transaction,
  addition: AdditionKey,
  itemId: number,
): Promise<boolean> {
  return (await insertAdded(transaction, { digest: digestOf(addition), itemId })).length > 0
}

const insertAdded = statement<{ digest: Uint8Array; itemId: number }>(
  (slot) => sql`
    insert into added_items (key, item_id, added_at)
    values (${slot('digest')}, ${slot('itemId')}, ${now})
    on conflict (key) do nothing returning item_id`,
)

/** Forgets keys of items that were added so many milliseconds ago; says whether there may be more. */
export async function forgetAddedItems(
  transaction: Transaction,
  { keptMs, limit }: { keptMs: number; limit: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from added_items where key in (
      select key from added_items where added_at <= ${now} - ${keptMs} order by added_at limit ${limit}
    )`.execute(transaction)
  return numAffectedRows > 0n
}

const digestOf = ({ datasetId, createdBy, key }: AdditionKey): Uint8Array =>
  sha256Bytes(`${datasetId}\n${createdBy}\n${key}`)
