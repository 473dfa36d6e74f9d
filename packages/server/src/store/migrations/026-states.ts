import { sql, type Kysely } from 'kysely'
import { integer } from '../engine-sql.ts'

/**
 * When a summary was kept, in milliseconds since 1970: those of states are let go. Of an older one nobody knows, but
 * none of them is of a state.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('summaries')
    .addColumn('kept_at', integer, (column) => column.notNull().defaultTo(sql.lit(0)))
    .execute()
}
