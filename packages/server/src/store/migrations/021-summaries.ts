import type { Kysely } from 'kysely'
import { bytes, integer, text } from '../engine-sql.ts'

/** Summaries of the values of datasets, with the state to go on from as items come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('summaries')
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('exploration', text, (column) => column.notNull())
    .addColumn('listing_id', integer)
    .addColumn('basis', text, (column) => column.notNull())
    .addColumn('fields', text, (column) => column.notNull())
    .addColumn('scanned', integer, (column) => column.notNull())
    .addColumn('items', integer, (column) => column.notNull())
    .addColumn('summary', text, (column) => column.notNull())
    // Last, as it is long and seldom read.
    .addColumn('state', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('summaries_key', ['dataset_id', 'exploration'])
    .execute()
}
