import { sql, type Kysely } from 'kysely'
import { casts } from '../functions/casts.ts'
import { createFoldCase } from '../functions/fold-case.ts'
import { createFoldSearch } from '../functions/fold-search.ts'
import { json } from '../functions/json.ts'
import { naturalKey } from '../functions/natural-key.ts'

/** Functions that PostgreSQL lacks: the contract's, so that queries answer alike on both engines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...casts, ...json, ...naturalKey]) await sql.raw(statement).execute(db)
  await createFoldCase(db)
  await createFoldSearch(db)
}
