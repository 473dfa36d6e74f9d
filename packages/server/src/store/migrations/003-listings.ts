import { type Kysely, sql } from 'kysely'
import { bytes, integer, numberedKey, strictByKey, text } from '../engine-sql.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listings')
    // The id names the listing's tables, so it must never be given twice.
    .addColumn('id', numberedKey)
    // Listings outlive their view until they are removed.
    .addColumn('view_id', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('scanned', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('count', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('version', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('basis', text)
    .execute()
  await db.schema
    .createIndex('listings_in_use')
    .unique()
    .on('listings')
    .columns(['view_id', 'state'])
    .where(sql.ref('state'), '!=', 'dropped')
    .execute()
  await db.schema
    .createIndex('listings_to_remove')
    .on('listings')
    .columns(['id'])
    .where(sql.ref('state'), '=', 'dropped')
    .execute()

  await db.schema
    .createTable('listing_blocks')
    .addColumn('listing_id', integer, (column) => column.notNull())
    .addColumn('first_key', bytes, (column) => column.notNull())
    .addColumn('count', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('listing_blocks_key', ['listing_id', 'first_key'])
    .modifyEnd(strictByKey)
    .execute()
}
