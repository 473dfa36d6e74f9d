import { sql } from 'kysely'
import type { Db, Store, Transaction } from './store.ts'

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

/** Removes so many rows of a dropped repository; returns whether there were any. */
export async function dropItemOrigins(
  transaction: Transaction,
  repoId: number,
  count: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from item_origins where dataset_id = ${repoId} and position in (
      select position from item_origins where dataset_id = ${repoId}
      order by position limit ${count}
    )`.execute(transaction)
  return numAffectedRows > 0n
}

/** Rows that are copied at once; each has up to some hundred kilobytes. */
const copiedAtOnce = 50

/** Copies what is said of the items of a repository to another database; what is there stays. */
export async function copyItemOrigins(from: Db, to: Store, repoId: number): Promise<void> {
  for (let next = 0; ;) {
    const rows = await from
      .selectFrom('item_origins')
      .selectAll()
      .where('dataset_id', '=', repoId)
      .where('position', '>=', next)
      .orderBy('position')
      .limit(copiedAtOnce)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    await to.write(async (transaction) => {
      for (const row of rows) {
        await transaction
          .insertInto('item_origins')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
    })
    next = last.position + 1
  }
}
