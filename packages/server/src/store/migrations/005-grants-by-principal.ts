import { type Kysely, sql } from 'kysely'

/** An index by which the datasets are found that somebody has a role on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index grants_by_principal on grants (kind, principal)`.execute(db)
}
