import { sql } from 'kysely'
import { migrationFault } from './migration-fault.ts'
import type { ExistingStore } from './open-existing.ts'
import type { Db } from './store.ts'

/** Reads which migrations a database has seen, and whether they are those of this program. */
export async function readSchema(
  db: Db,
  migrations: object,
): Promise<Pick<ExistingStore, 'schema' | 'isCurrent' | 'fault'>> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  const seen = rows.map(({ name }) => name)
  const known = Object.keys(migrations).toSorted()
  return {
    schema: seen.at(-1) ?? '',
    isCurrent: seen.join() === known.join(),
    fault: migrationFault(seen, known, { isEmpty: false }),
  }
}
