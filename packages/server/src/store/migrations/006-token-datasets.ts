import { type Kysely, sql } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/**
 * Datasets that a personal access token is for, and that an import may look into that was begun with one: null is all.
 * A signed link is a token of `link_of`, a dataset, or of its state `state_at`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column datasets ${text}`.execute(db)
  await sql`alter table tokens add column link_of ${integer}`.execute(db)
  await sql`alter table tokens add column state_at ${integer}`.execute(db)
  await sql`create index tokens_by_link_of on tokens (link_of, id)`.execute(db)
  await sql`alter table imports add column token_datasets ${text}`.execute(db)
}
