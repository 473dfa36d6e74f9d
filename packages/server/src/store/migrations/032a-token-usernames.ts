import type { Kysely } from 'kysely'
import { text } from '../engine-sql.ts'

/** The names that people signed in by when they made their tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tokens').addColumn('username', text).execute()
}
