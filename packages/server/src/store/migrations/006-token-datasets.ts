import { type Kysely, sql } from 'kysely'
import { text } from '../engine-sql.ts'

/** Datasets that a personal access token is for, and that an import may look into that was begun with one: null is all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column datasets ${text}`.execute(db)
  await sql`alter table imports add column token_datasets ${text}`.execute(db)
}
