import { type Kysely, sql } from 'kysely'

/** Makes the keys of imports each person's own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['imports_by_key', 'imports_in_use']) await db.schema.dropIndex(name).execute()
  await db.schema
    .createIndex('imports_by_key')
    .on('imports')
    .columns(['dataset_id', 'created_by', 'key', 'id'])
    .execute()
  await db.schema
    .createIndex('imports_in_use')
    .unique()
    .on('imports')
    .columns(['dataset_id', 'created_by', 'key'])
    .where(sql.ref('state'), 'not in', sql`('failed', 'cancelled')`)
    .execute()
}
