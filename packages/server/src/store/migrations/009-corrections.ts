import { type Kysely, sql } from 'kysely'
import { integer, text } from '../engine-sql.ts'

/** Corrections of items, and the inserts that are to become some. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One item replaces another at most, so that versions are a chain.
  await sql`
    create table corrections (
      dataset_id ${integer} not null,
      replaces_id ${integer} not null,
      item_id ${integer} not null,
      first_id ${integer} not null,
      position ${integer} not null,
      withdraws ${integer} not null,
      reason ${text} not null,
      constraint corrections_key primary key (dataset_id, replaces_id),
      constraint corrections_by_item unique (dataset_id, item_id)
    )`.execute(db)
  await sql`create index corrections_by_first on corrections (dataset_id, first_id, position)`.execute(
    db,
  )
  await sql`alter table inserts add column replaces_id ${integer}`.execute(db)
  await sql`alter table inserts add column reason ${text}`.execute(db)
}
