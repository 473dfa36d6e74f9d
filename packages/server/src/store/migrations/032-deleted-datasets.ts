import type { Kysely } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** Datasets that were deleted and can be taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deleted_datasets')
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('definition', text, (column) => column.notNull())
    .addColumn('schema', text, (column) => column.notNull())
    .addColumn('base_id', integer)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('next_position', integer, (column) => column.notNull())
    .addColumn('next_item_id', integer, (column) => column.notNull())
    .addColumn('revision', integer, (column) => column.notNull())
    .addColumn('order_revision', integer, (column) => column.notNull())
    .addColumn('targets', text, (column) => column.notNull())
    .addColumn('deleted_at', integer, (column) => column.notNull())
    .addColumn('deleted_by', text, (column) => column.notNull())
    .execute()
}
