import { sql, type Kysely } from 'kysely'

/**
 * Checked rows that wait to be published are kept in another form from now on: imports that were being
 * published begin with their check again, and what they have written of their items is removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number; dataset_id: number; first_position: number }>`
    select id, dataset_id, first_position from imports
    where state = 'publishing' and dataset_id in (select id from datasets)`.execute(db)
  for (const { id, dataset_id: datasetId, first_position: first } of rows) {
    const table = sql.table(`items_${datasetId}`)
    await sql`
      delete from blob_references where dataset_id = ${datasetId} and item_id in (
        select id from ${table} where position >= ${first}
      )`.execute(db)
    await sql`delete from ${table} where position >= ${first}`.execute(db)
    await sql`update datasets set publishing_import = null where publishing_import = ${id}`.execute(
      db,
    )
  }
  await sql`
    update imports
    set state = 'checking', published_rows = 0, first_position = null, first_item_id = null
    where state = 'publishing'`.execute(db)
}
