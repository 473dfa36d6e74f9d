import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { integer, now, text } from '../engine-sql.ts'

/** A generation of the audit log, and the checkpoints of repositories that it has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    sql`generation ${text} not null default ''`,
    sql`recorded_at ${integer} not null default 0`,
  ]) {
    await sql`alter table audit_head add column ${column}`.execute(db)
  }
  await sql`
    update audit_head set generation = ${randomBytes(5).toString('hex')}, recorded_at = ${now}`.execute(
    db,
  )
  for (const table of ['datasets', 'deleted_datasets']) {
    const column = sql`recorded_size ${integer} not null default 0`
    await sql`alter table ${sql.table(table)} add column ${column}`.execute(db)
  }
}
