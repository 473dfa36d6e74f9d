import { sql, type Kysely } from 'kysely'

/**
 * Drops what is derived by a search: ハス was found in バス, and май by маи. Which explorations search is not known,
 * and other views may derive from one that does. All is made again when somebody reads it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from datasets where definition like '%"search":%' limit 1`.execute(db)
  const derived = rows.length > 0 ? sql`true` : sql`exploration <> ''`
  await sql`delete from summaries where ${derived}`.execute(db)
  await sql`update listings set state = 'dropped' where ${derived}`.execute(db)
}
