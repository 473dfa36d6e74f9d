import type { Kysely } from 'kysely'
import { integer } from '../engine-sql.ts'

/** Accounts whose password was made up for somebody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('accounts')
    .addColumn('must_change', integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
