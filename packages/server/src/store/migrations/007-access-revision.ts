import { type Kysely, sql } from 'kysely'
import { integer } from '../engine-sql.ts'

/** A number that goes up with each change of the roles on a dataset, kept while it is deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['datasets', 'deleted_datasets']) {
    await sql`alter table ${sql.table(table)} add column access_revision ${integer} not null default 0`.execute(
      db,
    )
  }
}
