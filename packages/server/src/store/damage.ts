import { sql } from 'kysely'
import { isHeldVisibly } from './blobs.ts'
import type { Db, Transaction } from './store.ts'
import { isVisible, type Visibility } from './visibility.ts'
import { findDatasetById } from './datasets.ts'
import { itemTable, layOutFields } from './items.ts'
import { now } from './engine-sql.ts'

/** Values named of one blob. */
const holdersMax = 100

/** Damage of a value that is stored in its item's row. */
export const brokenValue = 'its value in the database is not what was sealed'

/** Damage that was found, of a blob or of a value in an item's row; times in ms since 1970. */
export type Damage = {
  /** Digest under which the value was sealed; of one in an item's row its first digits, and zeros (`row-digests.ts`). */
  sha256: string
  /** Size of a blob in bytes. */
  size?: number
  what: string
  firstSeenAt: number
  lastSeenAt: number
  values: ValuePlace[]
}

type DamageRow = Omit<Damage, 'size' | 'values'> & {
  size: number | null
  dataset: string | null
  item: number | null
  field: string | null
}

/** Lists damage of what somebody may read by pages, in the order of digests. */
export async function listDamagePage(
  db: Db,
  { page, pageSize }: { page: number; pageSize: number },
  visibility: Visibility,
): Promise<Damage[]> {
  // Whoever reads all is told of blobs that no item holds yet, too.
  const isShown =
    visibility === 'all' ? sql`1 = 1` : isHeldVisibly(sql`blob_damage.sha256`, visibility)
  const { rows } = await sql<DamageRow>`
    select blob_damage.sha256, blobs.size, what, first_seen_at as "firstSeenAt",
      last_seen_at as "lastSeenAt", null as dataset, null as item, null as field
    from blob_damage join blobs on blobs.sha256 = blob_damage.sha256 where ${isShown}
    union all
    select sha256, null, ${brokenValue}, first_seen_at, last_seen_at, name, item_id, field
    from value_damage join datasets on datasets.id = dataset_id where ${isVisible(visibility)}
    order by sha256, dataset, item, field limit ${pageSize} offset ${page * pageSize}`.execute(db)
  return Promise.all(
    rows.map(async ({ size, dataset, item, field, ...damage }) =>
      size === null
        ? { ...damage, values: [{ dataset: dataset!, item: item!, field: field! }] }
        : { ...damage, size, values: await listHolders(db, damage.sha256, holdersMax, visibility) },
    ),
  )
}

/** Counts damaged blobs, and damaged values that items' rows have. */
export async function countDamage(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from blob_damage)
      + (select count(*) from value_damage join datasets on datasets.id = dataset_id) as count`.execute(
    db,
  )
  return rows[0]!.count
}

/** Damage of a blob, as a sentence that begins with "its bytes" or "it has"; times in ms since 1970. */
export type BlobDamage = {
  sha256: string
  size: number
  what: string
  firstSeenAt: number
  lastSeenAt: number
}

/** A value of a committed item. */
export type ValuePlace = { dataset: string; item: number; field: string }

/** Notes damage of a blob in use. */
export async function recordDamage(
  transaction: Transaction,
  { sha256, what }: { sha256: string; what: string },
): Promise<void> {
  await sql`
    insert into blob_damage (sha256, what, first_seen_at, last_seen_at)
    select sha256, ${what}, ${now}, ${now} from blobs
    where sha256 = ${sha256} and state = 'live'
    on conflict (sha256) do update
      set what = excluded.what, last_seen_at = excluded.last_seen_at`.execute(transaction)
}

/** Forgets the damage of blobs that are whole again; returns how many had some. */
export async function clearDamage(
  transaction: Transaction,
  digests: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('blob_damage')
    .where('sha256', 'in', digests)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Lists damage of blobs, at most so much, in the order in which it was last seen. */
export function listDamage(db: Db, limit: number): Promise<BlobDamage[]> {
  return db
    .selectFrom('blob_damage')
    .innerJoin('blobs', 'blobs.sha256', 'blob_damage.sha256')
    .select([
      'blob_damage.sha256',
      'blobs.size',
      'what',
      'first_seen_at as firstSeenAt',
      'last_seen_at as lastSeenAt',
    ])
    .orderBy('last_seen_at')
    .limit(limit)
    .execute()
}

/** Lists values that a blob holds of committed items that somebody may read, at most so many. */
export async function listHolders(
  db: Db,
  sha256: string,
  limit: number,
  visibility: Visibility,
): Promise<ValuePlace[]> {
  const held = await db
    .selectFrom('blob_references')
    .innerJoin('datasets', 'datasets.id', 'blob_references.dataset_id')
    .select(['dataset_id', 'item_id'])
    .where('sha256', '=', sha256)
    .where(isVisible(visibility))
    .orderBy('dataset_id')
    .orderBy('item_id')
    .limit(limit)
    .execute()
  const holders: ValuePlace[] = []
  for (const { dataset_id: datasetId, item_id: item } of held) {
    const dataset = await findDatasetById(db, datasetId)
    if (dataset === undefined) continue
    for (const { name: field, type, column } of layOutFields(dataset.schema)) {
      if (type !== 'binary') continue
      const { rows } = await sql`
        select 1 from ${itemTable(datasetId)}
        where id = ${item} and ${sql.ref(column)} = ${sha256}`.execute(db)
      if (rows.length > 0) holders.push({ dataset: dataset.name, item, field })
    }
  }
  return holders
}

/** A value in an item's row that is not what was sealed, with the digest that was. */
export type DamagedValue = { itemId: number; field: string; sha256: string }

type Items = { datasetId: number; itemIds: readonly number[] }

/** Damaged values that are noted in one statement: PostgreSQL takes 65,535 parameters. */
const recordsMax = 1000

/** Returns whether damage of any value of these items is noted. */
export async function hasValueDamage(db: Db, items: Items): Promise<boolean> {
  const noted = await selectValueDamage(db, items).select('field').limit(1).execute()
  return noted.length > 0
}

/** Notes damaged values of some items, and forgets what was noted of these items' other values. */
export async function recordValueDamage(
  transaction: Transaction,
  items: Items,
  damaged: readonly DamagedValue[],
): Promise<void> {
  const keyOf = ({ itemId, field }: Pick<DamagedValue, 'itemId' | 'field'>) => `${itemId} ${field}`
  const keys = new Set(damaged.map(keyOf))
  const noted = await selectValueDamage(transaction, items)
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
  for (let at = 0; at < damaged.length; at += recordsMax) {
    const rows = damaged.slice(at, at + recordsMax).map(({ itemId, field, sha256 }) => ({
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

function selectValueDamage(db: Db, { datasetId, itemIds }: Items) {
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
export async function forgetValues(transaction: Transaction, datasetId: number): Promise<void> {
  await transaction.deleteFrom('value_damage').where('dataset_id', '=', datasetId).execute()
}
