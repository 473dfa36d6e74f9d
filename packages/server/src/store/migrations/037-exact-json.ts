import { sql, type Kysely } from 'kysely'

/**
 * Drops what is derived where a view casts to JSON: a text with a number that no double keeps, or with a key twice,
 * is no JSON since. All is made again when somebody reads it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from datasets where definition like '%"as":"json"%' limit 1`.execute(db)
  if (rows.length === 0) return
  await sql`delete from summaries`.execute(db)
  await sql`update listings set state = 'dropped'`.execute(db)
}
