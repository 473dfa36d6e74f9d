import type { Kysely } from 'kysely'
import { text } from '../column-types.ts'

/** What an import is to end as, decided before what it has written is removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('imports').addColumn('ends_as', text).execute()
}
