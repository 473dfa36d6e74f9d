import { sql } from 'kysely'
import { listHolders, type ValuePlace } from './blob-damage.ts'
import type { Db } from './store.ts'

/** Values named of one blob. */
const holdersMax = 100

/** Damage of a value that is stored in its item's row. */
export const brokenValue = 'its value in the database is not what was sealed'

/** Damage that was found, of a blob or of a value in an item's row; times in ms since 1970. */
export type Damage = {
  /** Digest under which the value was sealed. */
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

/** Lists damage by pages, in the order of digests. */
export async function listDamagePage(
  db: Db,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<Damage[]> {
  const { rows } = await sql<DamageRow>`
    select blob_damage.sha256, blobs.size, what, first_seen_at as "firstSeenAt",
      last_seen_at as "lastSeenAt", null as dataset, null as item, null as field
    from blob_damage join blobs on blobs.sha256 = blob_damage.sha256
    union all
    select sha256, null, ${brokenValue}, first_seen_at, last_seen_at, name, item_id, field
    from value_damage join datasets on datasets.id = dataset_id
    order by sha256, dataset, item, field limit ${pageSize} offset ${page * pageSize}`.execute(db)
  return Promise.all(
    rows.map(async ({ size, dataset, item, field, ...damage }) =>
      size === null
        ? { ...damage, values: [{ dataset: dataset!, item: item!, field: field! }] }
        : { ...damage, size, values: await listHolders(db, damage.sha256, holdersMax) },
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
