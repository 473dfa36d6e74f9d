import type { Kysely } from 'kysely'
import { integer, numberedKey, text } from '../engine-sql.ts'

/** Personal access tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tokens')
    .addColumn('id', numberedKey)
    .addColumn('sha256', text, (column) => column.notNull().unique())
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer)
    .addColumn('used_at', integer)
    .execute()
  await db.schema
    .createIndex('tokens_by_person')
    .on('tokens')
    .columns(['subject', 'issuer', 'id'])
    .execute()
}
