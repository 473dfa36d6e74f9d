import { sql, type Kysely } from 'kysely'

/**
 * Drops the search slices, and the listings and summaries that may have been made by them: a worker thread that
 * ended amid a segment left its first items out of it. All are made again when somebody reads them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select 1 from search_slices limit 1`.execute(db)
  if (rows.length === 0) return
  await sql`delete from search_slices`.execute(db)
  await sql`delete from summaries`.execute(db)
  await sql`update listings set state = 'dropped'`.execute(db)
}
