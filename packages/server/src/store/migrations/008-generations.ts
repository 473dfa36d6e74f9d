import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { text } from '../engine-sql.ts'

/** Rows that are changed by one statement. */
const batch = 500

/** An id that a repository is given when it is created, by which its log is told from that of an earlier one of its name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['datasets', 'deleted_datasets']) {
    await sql`alter table ${sql.table(table)} add column generation ${text} not null default ''`.execute(
      db,
    )
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}`.execute(db)
    for (let from = 0; from < rows.length; from += batch) {
      const generations = rows
        .slice(from, from + batch)
        .map(({ id }) => sql`when ${sql.lit(id)} then ${sql.lit(randomBytes(5).toString('hex'))}`)
      const ids = rows.slice(from, from + batch).map(({ id }) => sql.lit(id))
      await sql`
        update ${sql.table(table)} set generation = case id ${sql.join(generations, sql` `)} end
        where id in (${sql.join(ids)})`.execute(db)
    }
  }
}
