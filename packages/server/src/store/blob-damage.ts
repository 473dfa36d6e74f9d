import { sql, type Transaction } from 'kysely'
import { findDatasetById } from './datasets.ts'
import { itemTable, layOutFields } from './items.ts'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

type Write = Transaction<Tables>

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
export async function noteDamage(
  transaction: Write,
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
export async function clearDamage(transaction: Write, digests: readonly string[]): Promise<number> {
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

/** Lists values of committed items that a blob holds, at most so many. */
export async function listHolders(db: Db, sha256: string, limit: number): Promise<ValuePlace[]> {
  const held = await db
    .selectFrom('blob_references')
    .select(['dataset_id', 'item_id'])
    .where('sha256', '=', sha256)
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
