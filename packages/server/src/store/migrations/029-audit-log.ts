import { sql, type Kysely } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** The audit log of the installation, which begins here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('what', text, (column) => column.notNull())
    .addColumn('subject', text)
    .addColumn('name', text)
    .addColumn('dataset_id', integer)
    .addColumn('dataset', text)
    .addColumn('entry', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('audit_log_of_dataset')
    .on('audit_log')
    .columns(['dataset_id', 'number'])
    .execute()
  await db.schema
    .createTable('audit_head')
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .execute()
  await sql`insert into audit_head (number, at, hash) values (0, 0, ${'0'.repeat(64)})`.execute(db)
}
