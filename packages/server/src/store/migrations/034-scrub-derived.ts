import { sql, type Kysely } from 'kysely'
import { integer } from '../engine-sql.ts'

/** The dataset that a round has come to which compares what is derived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('scrub')
    .addColumn('derived_to', integer, (column) => column.notNull().defaultTo(sql.lit(0)))
    .execute()
}
