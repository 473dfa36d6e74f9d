import type { Kysely } from 'kysely'
import { text } from '../engine-sql.ts'

/** The beginning of the value for which a row was refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_refusals').addColumn('value', text).execute()
}
