import { type Kysely, sql } from 'kysely'
import { integer, numberedKey, text } from '../engine-sql.ts'

/** Roles that were given on one dataset, and the groups of people at their last sign-in. */
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
  await sql`alter table people add column groups ${text}`.execute(db)
  await sql`alter table people add column groups_at ${integer}`.execute(db)
}
