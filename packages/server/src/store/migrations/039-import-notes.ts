import type { Kysely } from 'kysely'
import { text } from '../engine-sql.ts'

/** Notes on the file of an import, such as merged cells. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('imports').addColumn('notes', text).execute()
}
