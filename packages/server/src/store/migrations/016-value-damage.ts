import type { Kysely } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** Values in items' rows that are not what was sealed, and how far rows were read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('value_damage')
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('item_id', integer, (column) => column.notNull())
    .addColumn('field', text, (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('first_seen_at', integer, (column) => column.notNull())
    .addColumn('last_seen_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('value_damage_key', ['dataset_id', 'item_id', 'field'])
    .execute()
  for (const name of ['rows_of', 'rows_from']) {
    await db.schema
      .alterTable('scrub')
      .addColumn(name, integer, (column) => column.notNull().defaultTo(0))
      .execute()
  }
}
