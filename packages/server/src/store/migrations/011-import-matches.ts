import { type Kysely, sql } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** Imports whose rows are matched with items, and those that wait to be confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    sql`changed_rows ${integer} not null default 0`,
    sql`unchanged_rows ${integer} not null default 0`,
    sql`matched_at ${integer}`,
    sql`outcome ${text}`,
    sql`confirmed ${text}`,
  ]
  for (const column of columns) await sql`alter table imports add column ${column}`.execute(db)
}
