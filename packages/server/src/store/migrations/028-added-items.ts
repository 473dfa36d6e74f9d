import type { Kysely } from 'kysely'
import { bytes, integer } from '../engine-sql.ts'

/** Items that were added in one request, by the keys that their senders chose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('added_items')
    .addColumn('key', bytes, (column) => column.primaryKey())
    .addColumn('item_id', integer, (column) => column.notNull())
    .addColumn('added_at', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('added_items_by_moment')
    .on('added_items')
    .columns(['added_at'])
    .execute()
}
