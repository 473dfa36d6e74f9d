import type { Kysely } from 'kysely'
import { bytes, integer } from '../engine-sql.ts'

/** Filters of the texts in items, so that a search looks where it may find something. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_slices')
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('segment', integer, (column) => column.notNull())
    .addColumn('part', integer, (column) => column.notNull())
    .addColumn('slices', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('search_slices_key', ['dataset_id', 'segment', 'part'])
    .execute()
}
