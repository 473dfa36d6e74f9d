import { sql, type Kysely } from 'kysely'
import { bytes, integer, numberedKey, text } from '../engine-sql.ts'

/** The log of each repository, and who has added what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('people')
    .addColumn('id', numberedKey)
    .addColumn('key', text, (column) => column.notNull().unique())
    .execute()
  await sql`
    insert into people (key)
    select created_by from datasets union select created_by from inserts union select created_by from imports
  `.execute(db)
  await db.schema
    .createTable('log_nodes')
    .addColumn('dataset_id', integer, (column) => column.notNull())
    .addColumn('level', integer, (column) => column.notNull())
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('hash', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('log_nodes_key', ['dataset_id', 'level', 'number'])
    .execute()
  await db.schema.alterTable('imports').addColumn('items_created_at', integer).execute()
  await sql`update imports set items_created_at = touched_at where state = 'publishing'`.execute(db)
  const { rows } = await sql<{ id: number }>`select id from datasets where kind = 'repo'`.execute(
    db,
  )
  for (const { id } of rows) {
    for (const [column, type] of [
      ['author', integer],
      ['leaf', bytes],
    ] as const) {
      await db.schema.alterTable(`items_${id}`).addColumn(column, type).execute()
    }
  }
}
