import type { Kysely } from 'kysely'
import { integer } from '../engine-sql.ts'

/** Schemas of datasets change, as repositories are extended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['revision', 'order_revision']) {
    await db.schema
      .alterTable('datasets')
      .addColumn(column, integer, (added) => added.notNull().defaultTo(0))
      .execute()
  }
}
