import { type Kysely, sql } from 'kysely'
import { integer } from '../engine-sql.ts'

/** Blobs that an import alone used, which are removed without the trash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('blobs')
    .addColumn('is_transient', integer, (column) => column.notNull().defaultTo(sql.lit(0)))
    .execute()
}
