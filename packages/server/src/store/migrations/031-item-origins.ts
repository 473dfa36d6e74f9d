import type { Kysely } from 'kysely'
import { bytes, integer, text } from '../engine-sql.ts'

/** Origins of items that were imported from bundles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('item_origins')
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('items', integer, (column) => column.notNull())
    .addColumn('checkpoint', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('entries', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('item_origins_key', ['dataset_id', 'position'])
    .execute()
}
