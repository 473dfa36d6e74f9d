import { type Kysely, sql } from 'kysely'
import { integer, numberedKey, text } from '../engine-sql.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('imports')
    .addColumn('id', numberedKey)
    // Imports outlive their repository until they are swept.
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('options', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('touched_at', integer, (column) => column.notNull())
    .addColumn('received_bytes', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('checked_bytes', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('rows', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('refused_rows', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('published_rows', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('first_position', integer)
    .addColumn('first_item_id', integer)
    .addColumn('error', text)
    .execute()
  await db.schema
    .createIndex('imports_by_key')
    .on('imports')
    .columns(['dataset_id', 'key', 'id'])
    .execute()
  await db.schema
    .createIndex('imports_in_use')
    .unique()
    .on('imports')
    .columns(['dataset_id', 'key'])
    .where(sql.ref('state'), 'not in', sql`('failed', 'cancelled')`)
    .execute()

  await db.schema
    .createTable('import_blobs')
    .addColumn('import_id', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('start', integer, (column) => column.notNull())
    .addColumn('name', text)
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('size', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('import_blobs_key', ['import_id', 'kind', 'start'])
    .execute()
  await db.schema
    .createIndex('import_blobs_by_blob')
    .on('import_blobs')
    .columns(['sha256'])
    .execute()
  await db.schema
    .createIndex('import_blobs_by_name')
    .on('import_blobs')
    .columns(['import_id', 'name'])
    .where(sql.ref('name'), 'is not', null)
    .execute()

  await db.schema
    .createTable('import_refusals')
    .addColumn('import_id', integer, (column) => column.notNull())
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('row', integer, (column) => column.notNull())
    .addColumn('line', integer)
    .addColumn('field', text)
    .addColumn('reason', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('import_refusals_key', ['import_id', 'number'])
    .execute()

  await db.schema.alterTable('datasets').addColumn('publishing_import', integer).execute()
}
