import type { Kysely } from 'kysely'
import { catalogue } from '../leases.ts'
import { integer, text } from '../engine-sql.ts'

/** Leases of tasks that only one process may do at a time; and a row to lock before datasets come or go. */
export async function up(db: Kysely<{ leases: LeaseRow }>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute()
  await db.insertInto('leases').values({ name: catalogue, holder: '', expires_at: 0 }).execute()
}

type LeaseRow = { name: string; holder: string; expires_at: number }
