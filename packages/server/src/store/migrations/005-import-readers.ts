import { type Kysely, sql } from 'kysely'
import { integer } from '../engine-sql.ts'

/** Whether somebody read all datasets when they began an import; before there were others, everybody did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imports add column reads_all ${integer} not null default 1`.execute(db)
}
