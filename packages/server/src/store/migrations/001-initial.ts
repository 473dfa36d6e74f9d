import { type Kysely, sql } from 'kysely'
import { integer, numberedKey, text } from '../engine-sql.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('datasets')
    // The id names the item table, so it must never be given twice.
    .addColumn('id', numberedKey)
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('definition', text, (column) => column.notNull())
    .addColumn('schema', text, (column) => column.notNull())
    .addColumn('base_id', integer, (column) => column.references('datasets.id'))
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('next_position', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('next_item_id', integer, (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createIndex('datasets_by_kind')
    .on('datasets')
    .columns(['kind', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('datasets_by_created_at')
    .on('datasets')
    .columns(['created_at', 'id'])
    .execute()

  await db.schema
    .createTable('dataset_references')
    .addColumn('dataset_id', integer, (column) => column.notNull().references('datasets.id'))
    .addColumn('target_id', integer, (column) => column.notNull().references('datasets.id'))
    .addPrimaryKeyConstraint('dataset_references_key', ['dataset_id', 'target_id'])
    .execute()
  await db.schema
    .createIndex('dataset_references_by_target')
    .on('dataset_references')
    .columns(['target_id', 'dataset_id'])
    .execute()

  await db.schema
    .createTable('dropped_repos')
    .addColumn('dataset_id', integer, (column) => column.primaryKey())
    .execute()

  await db.schema
    .createTable('inserts')
    .addColumn('dataset_id', integer, (column) => column.notNull().references('datasets.id'))
    .addColumn('item_id', integer, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('inserts_key', ['dataset_id', 'item_id'])
    .execute()
  await db.schema.createIndex('inserts_by_expiry').on('inserts').columns(['expires_at']).execute()

  await db.schema
    .createTable('insert_values')
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('item_id', integer, (column) => column.notNull())
    .addColumn('field', text, (column) => column.notNull())
    .addColumn('text', text)
    .addColumn('reference', integer)
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('mime', text)
    .addPrimaryKeyConstraint('insert_values_key', ['dataset_id', 'item_id', 'field'])
    .addForeignKeyConstraint(
      'insert_values_insert',
      ['dataset_id', 'item_id'],
      'inserts',
      ['dataset_id', 'item_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('insert_values_by_blob')
    .on('insert_values')
    .columns(['sha256'])
    .where(sql.ref('mime'), 'is not', null)
    .execute()

  await db.schema
    .createTable('blobs')
    .addColumn('sha256', text, (column) => column.primaryKey())
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .execute()

  await db.schema
    .createIndex('blobs_to_remove')
    .on('blobs')
    .columns(['sha256'])
    .where(sql.ref('state'), '=', 'deleting')
    .execute()

  await db.schema
    .createTable('blob_references')
    .addColumn('sha256', text, (column) => column.notNull().references('blobs.sha256'))
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('item_id', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_references_key', ['dataset_id', 'item_id', 'sha256'])
    .execute()
  await db.schema
    .createIndex('blob_references_by_blob')
    .on('blob_references')
    .columns(['sha256'])
    .execute()
}
