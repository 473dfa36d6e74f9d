import { sql, type Kysely } from 'kysely'
import { text } from '../engine-sql.ts'

/** Names of people; those of the built-in provider are in their accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('name', text).execute()
  // Datasets were made by people who were not noted then.
  await sql`
    insert into people (key) select distinct created_by from datasets
    where created_by not in (select key from people)`.execute(db)
  const { rows } = await sql<{ id: string; name: string }>`select id, name from accounts`.execute(
    db,
  )
  for (const { id, name } of rows) {
    await sql`update people set name = ${name} where key like ${`% ${id}`}`.execute(db)
  }
}
