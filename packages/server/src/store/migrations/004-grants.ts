import { type Kysely, sql } from 'kysely'
import { integer, numberedKey, text } from '../engine-sql.ts'

/** Roles that were given on one dataset. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table grants (
      id ${numberedKey},
      dataset_id ${integer} not null,
      kind ${text} not null,
      principal ${text} not null,
      role ${text} not null,
      granted_by ${text} not null,
      granted_at ${integer} not null,
      constraint grants_key unique (dataset_id, kind, principal)
    )`.execute(db)
}
