import { sql } from 'kysely'
import { type ItemColumn, cellTypes, changedColumns } from '../items.ts'
import type { Store, Transaction } from '../store.ts'
import type { SqliteConnection } from './connection.ts'

/**
 * Edits the table's definition in place, as SQLite describes it for changes that leave the file's rows as
 * they are (https://www.sqlite.org/lang_altertable.html#otheralter). Its own `ADD COLUMN` reads all rows of
 * a STRICT table, a second for a million (docs/decisions/store.md).
 */
export function extendItemTableBy(connection: SqliteConnection): Store['extendItemTable'] {
  return async (transaction, change) => {
    const { added, relaxed } = changedColumns(change)
    if (added.length + relaxed.length === 0) return
    const name = `items_${change.id}`
    const before = await definitionOf(transaction, name)
    const ends = before.replace(/\)\s*strict\s*$/i, '')
    const columns = added.map(
      ({ name: column, kind }) => sql`${sql.ref(column)} ${cellTypes[kind]}`,
    )
    const more = added.length === 0 ? '' : `, ${sql.join(columns).compile(transaction).sql}`
    const after = `${relaxed.reduce(withoutNotNull, ends)}${more}) strict`
    await write(connection, transaction, { name, definition: after })
    await requireColumns(transaction, name, [...added, ...relaxed])
  }
}

async function definitionOf(transaction: Transaction, name: string): Promise<string> {
  const { rows } = await sql<{ definition: string }>`
    select sql as definition from sqlite_schema where type = 'table' and name = ${name}
  `.execute(transaction)
  return rows[0]!.definition
}

function withoutNotNull(definition: string, { name }: ItemColumn): string {
  return definition.replace(new RegExp(`("${name}" \\w+)\\s+not null`, 'i'), '$1')
}

async function write(
  { setDefensive }: SqliteConnection,
  transaction: Transaction,
  { name, definition }: { name: string; definition: string },
): Promise<void> {
  const { rows } = await sql<{ schema_version: number }>`pragma schema_version`.execute(transaction)
  setDefensive(false)
  try {
    await sql`pragma writable_schema = on`.execute(transaction)
    await sql`
      update sqlite_schema set sql = ${definition} where type = 'table' and name = ${name}
    `.execute(transaction)
    // All connections read the definition again.
    const next = sql.lit(rows[0]!.schema_version + 1)
    await sql`pragma schema_version = ${next}`.execute(transaction)
  } finally {
    await sql`pragma writable_schema = off`.execute(transaction)
    setDefensive(true)
  }
}

/** Throws unless the table is read as it was meant: then nothing of it is committed. */
async function requireColumns(
  transaction: Transaction,
  name: string,
  columns: readonly ItemColumn[],
): Promise<void> {
  const { rows } = await sql<{ name: string; notnull: number }>`
    select name, "notnull" from pragma_table_info(${name})`.execute(transaction)
  const isThere = (column: ItemColumn) =>
    rows.some((row) => row.name === column.name && row.notnull === 0)
  if (!columns.every(isThere)) throw new Error(`SQLite did not take the columns of ${name}`)
}
