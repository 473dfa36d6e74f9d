import type { Kysely } from 'kysely'
import { text } from '../engine-sql.ts'

/** Adds the state in which an import will end, decided before its rows are removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('imports').addColumn('ends_as', text).execute()
}
