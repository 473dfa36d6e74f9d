import { type Kysely, sql } from 'kysely'
import { castDuration } from '../functions/cast-duration.ts'

/** The function by which views cast text to durations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(castDuration).execute(db)
}
