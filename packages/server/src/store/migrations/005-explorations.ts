import { type Kysely, sql } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** A dataset has listings of what is asked of its items, beside the one that it has as a view. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('listings_in_use').execute()
  await db.schema.alterTable('listings').renameColumn('view_id', 'dataset_id').execute()
  await db.schema
    .alterTable('listings')
    .addColumn('exploration', text, (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('listings')
    .addColumn('used_at', integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('listings_in_use')
    .unique()
    .on('listings')
    .columns(['dataset_id', 'exploration', 'state'])
    .where(sql.ref('state'), '!=', 'dropped')
    .execute()
  await db.schema
    .createIndex('listings_of_explorations')
    .on('listings')
    .columns(['used_at'])
    .where(sql.ref('exploration'), '!=', '')
    .execute()
}
