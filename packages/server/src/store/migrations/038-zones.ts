import { sql, type Kysely } from 'kysely'

/**
 * Drops what is derived where a view casts to dates or moments: of more texts than before it is known which one they
 * are. All is made again when somebody reads it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from datasets
    where definition like '%"as":"date"%' or definition like '%"as":"timestamp"%' limit 1`.execute(
    db,
  )
  if (rows.length === 0) return
  await sql`delete from summaries`.execute(db)
  await sql`update listings set state = 'dropped'`.execute(db)
}
