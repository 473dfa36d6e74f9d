import { type Kysely, sql } from 'kysely'
import { integer } from '../engine-sql.ts'

/** Positions of the items that do not hold any more, and since which state. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table superseded (
      dataset_id ${integer} not null,
      position ${integer} not null,
      since ${integer} not null,
      constraint superseded_key primary key (dataset_id, position)
    )`.execute(db)
  await sql`create index superseded_by_since on superseded (dataset_id, since)`.execute(db)
  // Of a repository that was removed for good the items may be gone.
  const { rows } = await sql<{ id: number }>`
    select id from (select id from datasets union select id from deleted_datasets) as kept
    where id in (select dataset_id from corrections)`.execute(db)
  for (const { id } of rows) {
    await sql`
      insert into superseded (dataset_id, position, since)
      select ${id}, item.position, correction.position from corrections as correction
      join ${sql.table(`items_${id}`)} as item on item.id = correction.replaces_id
      where correction.dataset_id = ${id} and correction.replaces_id not in (
        select item_id from corrections where dataset_id = ${id} and withdraws = 1
      )`.execute(db)
    await sql`
      insert into superseded (dataset_id, position, since)
      select dataset_id, position, position from corrections
      where dataset_id = ${id} and withdraws = 1`.execute(db)
  }
}
