import type { Kysely } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** Blobs whose bytes are not what they must be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('blob_damage')
    .addColumn('sha256', text, (column) => column.primaryKey())
    .addColumn('what', text, (column) => column.notNull())
    .addColumn('first_seen_at', integer, (column) => column.notNull())
    .addColumn('last_seen_at', integer, (column) => column.notNull())
    .execute()
}
