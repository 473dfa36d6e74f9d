import { sql, type Kysely } from 'kysely'

/**
 * Digests of items become bytes instead of hex (docs/decisions/store.md). A table of SQLite
 * whose column has another type is another table, so each is written anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Table>`
    select items.name, items.sql as definition
    from sqlite_schema as items, pragma_table_info(items.name) as info
    where items.type = 'table' and items.name glob 'items_[0-9]*'
      and info.name = 'digests' and info.type = 'TEXT'`.execute(db)
  for (const table of rows) await rewrite(db, table)
}

type Table = { name: string; definition: string }

async function rewrite(db: Kysely<unknown>, { name, definition }: Table): Promise<void> {
  const columnsFrom = definition.indexOf('(')
  const columns = definition.slice(columnsFrom).replace('digests text', 'digests blob')
  const info = await sql<{ name: string }>`select name from pragma_table_info(${name})`.execute(db)
  const cells = info.rows.map((column) =>
    column.name === 'digests' ? sql`unhex(digests)` : sql.ref(column.name),
  )
  const bytes = sql.table(`${name}_bytes`)
  await sql`create table ${bytes} ${sql.raw(columns)}`.execute(db)
  await sql`
    insert into ${bytes} select ${sql.join(cells)} from ${sql.table(name)} order by position
  `.execute(db)
  await sql`drop table ${sql.table(name)}`.execute(db)
  await sql`alter table ${bytes} rename to ${sql.table(name)}`.execute(db)
}
