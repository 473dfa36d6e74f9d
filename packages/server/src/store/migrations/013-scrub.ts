import type { Kysely } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** How far the blobs were read again in the round that is under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scrub')
    // One row at most.
    .addColumn('number', integer, (column) => column.primaryKey())
    .addColumn('began_at', integer, (column) => column.notNull())
    .addColumn('read_to', text, (column) => column.notNull())
    .execute()
}
