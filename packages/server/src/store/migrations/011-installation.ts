import type { Kysely } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** Whose database this is, and when it first saw bytes that it does not know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    // One row at most.
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('id', text, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('blob_sightings')
    .addColumn('sha256', text, (column) => column.primaryKey())
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('first_seen_at', integer, (column) => column.notNull())
    .addColumn('last_seen_at', integer, (column) => column.notNull())
    .addColumn('is_approved', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('blob_sightings_by_moment')
    .on('blob_sightings')
    .columns(['first_seen_at'])
    .execute()
}
