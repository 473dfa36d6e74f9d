import type { Kysely } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** The built-in provider: accounts, its own state, its keys, failed sign-ins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('password', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('sessions_ended_at', integer, (column) => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('provider_state')
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('payload', text, (column) => column.notNull())
    .addColumn('uid', text)
    .addColumn('grant_id', text)
    .addColumn('account_id', text)
    .addColumn('consumed_at', integer)
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('provider_state_key', ['kind', 'id'])
    .execute()
  for (const column of ['uid', 'grant_id', 'account_id', 'expires_at'] as const) {
    await db.schema
      .createIndex(`provider_state_by_${column}`)
      .on('provider_state')
      .columns([column])
      .execute()
  }

  await db.schema
    .createTable('provider_keys')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('subject', text, (column) => column.primaryKey())
    .addColumn('failures', integer, (column) => column.notNull())
    .addColumn('retry_at', integer, (column) => column.notNull())
    .addColumn('forget_at', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('sign_in_attempts_by_forget_at')
    .on('sign_in_attempts')
    .columns(['forget_at'])
    .execute()
}
