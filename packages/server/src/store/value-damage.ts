import type { Transaction } from 'kysely'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

/** A value in an item's row that is not what was sealed, with the digest that was. */
export type DamagedValue = { itemId: number; field: string; sha256: string }

type Items = { datasetId: number; itemIds: readonly number[] }

/** Damaged values that are noted in one statement: PostgreSQL takes 65,535 parameters. */
const notedAtOnce = 1000

/** Returns whether damage of any value of these items is noted. */
export async function hasNotedValues(db: Db, items: Items): Promise<boolean> {
  const noted = await selectNoted(db, items).select('field').limit(1).execute()
  return noted.length > 0
}

/** Notes damaged values of some items, and forgets what was noted of these items' other values. */
export async function noteValues(
  transaction: Transaction<Tables>,
  items: Items,
  damaged: readonly DamagedValue[],
): Promise<void> {
  const keyOf = ({ itemId, field }: Pick<DamagedValue, 'itemId' | 'field'>) => `${itemId} ${field}`
  const keys = new Set(damaged.map(keyOf))
  const noted = await selectNoted(transaction, items)
    .select(['item_id as itemId', 'field'])
    .execute()
  for (const value of noted.filter((value) => !keys.has(keyOf(value)))) {
    await transaction
      .deleteFrom('value_damage')
      .where('dataset_id', '=', items.datasetId)
      .where('item_id', '=', value.itemId)
      .where('field', '=', value.field)
      .execute()
  }
  for (let at = 0; at < damaged.length; at += notedAtOnce) {
    const rows = damaged.slice(at, at + notedAtOnce).map(({ itemId, field, sha256 }) => ({
      dataset_id: items.datasetId,
      item_id: itemId,
      field,
      sha256,
      first_seen_at: now,
      last_seen_at: now,
    }))
    await transaction
      .insertInto('value_damage')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['dataset_id', 'item_id', 'field'])
          .doUpdateSet({ sha256: (row) => row.ref('excluded.sha256'), last_seen_at: now }),
      )
      .execute()
  }
}

function selectNoted(db: Db, { datasetId, itemIds }: Items) {
  return db
    .selectFrom('value_damage')
    .where('dataset_id', '=', datasetId)
    .where('item_id', 'in', itemIds)
}

/** Lists items with noted damage, at most so many, in the order in which it was last seen. */
export function listDamagedItems(
  db: Db,
  limit: number,
): Promise<{ datasetId: number; itemId: number }[]> {
  return db
    .selectFrom('value_damage')
    .select(['dataset_id as datasetId', 'item_id as itemId'])
    .groupBy(['dataset_id', 'item_id'])
    .orderBy((row) => row.fn.min('last_seen_at'))
    .limit(limit)
    .execute()
}

/** Forgets the damage that was noted of a repository. */
export async function forgetValues(
  transaction: Transaction<Tables>,
  datasetId: number,
): Promise<void> {
  await transaction.deleteFrom('value_damage').where('dataset_id', '=', datasetId).execute()
}
