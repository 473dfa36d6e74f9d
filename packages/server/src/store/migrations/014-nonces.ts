import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** Keys for the nonces of log entries. Those of the items that are there, beyond the head too, have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['datasets', 'deleted_datasets']) {
    const columns = [
      sql`nonce_key ${text} not null default ''`,
      sql`nonces_from ${integer} not null default 0`,
    ]
    for (const column of columns) {
      await sql`alter table ${sql.table(table)} add column ${column}`.execute(db)
    }
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where kind = 'repo'`.execute(db)
    for (const { id } of rows) {
      await sql`
        update ${sql.table(table)} set nonce_key = ${randomBytes(32).toString('hex')},
          nonces_from = (select coalesce(max(position) + 1, 0) from ${sql.table(`items_${id}`)})
        where id = ${id}`.execute(db)
    }
  }
}
