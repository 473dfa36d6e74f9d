import type { Kysely } from 'kysely'
import { integer } from '../engine-sql.ts'

/** How often collection has dropped blobs, in one row. */
export async function up(db: Kysely<{ blob_removals: { count: number } }>): Promise<void> {
  await db.schema
    .createTable('blob_removals')
    .addColumn('count', integer, (column) => column.notNull())
    .execute()
  await db.insertInto('blob_removals').values({ count: 0 }).execute()
}
