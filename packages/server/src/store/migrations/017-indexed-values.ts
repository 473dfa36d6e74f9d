import { type Kysely, sql } from 'kysely'

/**
 * Removes the segments of the search index, which had grams of texts alone: from now on a block without the gram of any
 * other value has not that value. The next search makes them again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from search_slices`.execute(db)
}
