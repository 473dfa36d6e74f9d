import { sql } from 'kysely'
import { changedColumns } from '../item-table-change.ts'
import { cellTypes, itemTable } from '../items.ts'
import type { Store } from '../store.ts'

/** How long others queue behind a change that waits for a transaction under way. */
const lockTimeout = '200ms'

/**
 * Only the catalogue changes, whatever the number of rows
 * (https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-NOTES).
 */
export const extendItemTable: Store['extendItemTable'] = async (transaction, change) => {
  const { added, relaxed } = changedColumns(change)
  const changes = [
    ...added.map(({ name, kind }) => sql`add column ${sql.ref(name)} ${cellTypes[kind]}`),
    ...relaxed.map(({ name }) => sql`alter column ${sql.ref(name)} drop not null`),
  ]
  if (changes.length === 0) return
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction)
  await sql`alter table ${itemTable(change.id)} ${sql.join(changes)}`.execute(transaction)
  await sql`set local lock_timeout to default`.execute(transaction)
}
