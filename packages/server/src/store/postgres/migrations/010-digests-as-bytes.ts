import { sql, type Kysely } from 'kysely'

/** Digests of items become bytes instead of hex (docs/decisions/store.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and table_name ~ '^items_[0-9]+$'
      and column_name = 'digests' and data_type = 'text'`.execute(db)
  for (const { name } of rows) {
    await sql`
      alter table ${sql.table(name)}
      alter column digests type bytea using decode(digests, 'hex')`.execute(db)
  }
}
