import { type Kysely, sql } from 'kysely'
import { integer } from '../engine-sql.ts'

/** Whether the last checkpoints of logs are kept outside of the database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const column = sql`keeps_checkpoints ${integer} not null default 0`
  await sql`alter table installation add column ${column}`.execute(db)
}
