import { type Kysely, sql } from 'kysely'

/**
 * Removes the hashes above entries, which are made again: those over items that are older than the log were made of
 * nothing in SQLite.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from log_nodes`.execute(db)
}
