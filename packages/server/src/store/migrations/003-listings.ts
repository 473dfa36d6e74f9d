import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listings')
    // AUTOINCREMENT: the id names the listing's tables, so it must never be given twice.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    // Listings outlive their view until they are removed.
    .addColumn('view_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('scanned', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('count', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('basis', 'text')
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
    .addColumn('listing_id', 'integer', (column) => column.notNull())
    .addColumn('first_key', 'blob', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('listing_blocks_key', ['listing_id', 'first_key'])
    .modifyEnd(sql`without rowid`)
    .execute()
}
