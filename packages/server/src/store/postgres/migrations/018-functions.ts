import { sql, type Kysely } from 'kysely'
import { castDuration } from '../functions/cast-duration.ts'
import * as functions from './002-functions.ts'

/** Makes the functions of an older installation anew: PostgreSQL called some for each row that it inlines now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ isNew: boolean }>`
    select to_regprocedure('compose(text)') is null as "isNew"`.execute(db)
  if (rows[0]!.isNew) return
  await functions.up(db)
  await sql.raw(castDuration).execute(db)
  await sql`drop function compose(text), decompose(text)`.execute(db)
}
