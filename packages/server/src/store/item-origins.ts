import { sql } from 'kysely'
import type { Db, Transaction } from './store.ts'

/** Origin of a run of items of a repository, from a position on. */
export type ItemOrigins = {
  position: number
  items: number
  checkpoint: string
  key: string
  /** Their entries in the log that had them, as `writeBundle` of the logs writes them. */
  entries: Uint8Array
}

/** Lists what is said of the items from one position to another, which is left out. */
export async function listItemOrigins(
  db: Db,
  repoId: number,
  { from, to }: { from: number; to: number },
): Promise<ItemOrigins[]> {
  return db
    .selectFrom('item_origins')
    .select(['position', 'items', 'checkpoint', 'key', 'entries'])
    .where('dataset_id', '=', repoId)
    .where('position', '<', to)
    .where(sql<boolean>`position + items > ${from}`)
    .orderBy('position', 'desc')
    .execute()
}

export async function addItemOrigins(
  transaction: Transaction,
  repoId: number,
  origins: ItemOrigins,
): Promise<void> {
  await transaction
    .insertInto('item_origins')
    .values({ dataset_id: repoId, ...origins })
    .execute()
}

/** The logs that items of a repository come from, each with how many of them. */
export async function listOrigins(
  db: Db,
  repoId: number,
): Promise<{ checkpoint: string; key: string; items: number }[]> {
  return db
    .selectFrom('item_origins')
    .select(['checkpoint', 'key', sql<number>`cast(sum(items) as bigint)`.as('items')])
    .where('dataset_id', '=', repoId)
    .groupBy(['checkpoint', 'key'])
    .orderBy(sql`min(position)`)
    .execute()
}
