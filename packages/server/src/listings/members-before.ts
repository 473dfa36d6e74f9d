import { sql } from 'kysely'
import { membersTable } from '../store/listing-tables.ts'
import type { ListingRow } from '../store/listings.ts'
import type { Db } from '../store/store.ts'

/**
 * How many of the members that a listing has found stand before a position of the repository; undefined where it is
 * being removed.
 */
export async function membersBefore(
  db: Db,
  { id, count, scanned }: ListingRow,
  before: number,
): Promise<number | undefined> {
  if (scanned <= before) return count
  const { rows } = await sql<{ position: number | null }>`
    select (
      select position from ${membersTable(id)} where root < ${before} order by root desc limit 1
    ) as position
    from listings where id = ${id} and state <> 'dropped'`.execute(db)
  return rows[0] && (rows[0].position ?? -1) + 1
}
