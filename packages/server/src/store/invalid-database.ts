import { sql } from 'kysely'
import type { ExistingStore } from './open-existing.ts'
import type { Db } from './store.ts'

/** A database that an installation cannot be kept in, or that is not there, as a sentence. */
export class InvalidDatabase extends Error {
  override name = 'InvalidDatabase'
}

/** A database in which no start has made the tables yet, or that is not there at all. */
export class MissingDatabase extends InvalidDatabase {
  override name = 'MissingDatabase'
}

/** A migration that every database from before 0.1.0 has had, and the last commit that reads them. */
const unreleased = { migration: '004-blob-removals', commit: '11511cd' }

/** The advice to restore a database from a backup. */
const backup = 'restore it from a backup ("Backup and restore" in docs/operating.md)'

/**
 * Says why a database cannot be opened by this version, judged by the migrations that it has had.
 * @param executed their names, oldest first; undefined where there is no table of them
 * @returns undefined when it can
 */
export function migrationFault(
  executed: readonly string[] | undefined,
  migrations: readonly string[],
  { isEmpty }: { isEmpty: boolean },
): string | undefined {
  if (executed?.includes(unreleased.migration)) {
    return `is of a version before 0.1.0: export its datasets with commit ${unreleased.commit} (\`vitrine export\`), the last that reads it, and import them into an empty one ("Upgrades" in docs/operating.md)`
  }
  const ours = executed?.includes(migrations[0]!) ?? isEmpty
  const isNew = isEmpty || executed?.length === 0
  if (!ours && !isNew) {
    return 'is of another program: name an empty database, or the one that this installation has'
  }
  const newer = executed?.filter((name) => !migrations.includes(name)) ?? []
  if (newer.length === 0) return undefined
  return `is of a newer version of Vitrine, which made the changes ${newer.join(', ')}: start that version, or ${backup}`
}

/** Says what to do about a database that is damaged. */
export function damaged(reason: string): string {
  return `is damaged (${reason}): ${backup}`
}

/** Reads which migrations a database has seen, and whether they are those of this program. */
export async function readSchema(
  db: Db,
  migrations: object,
): Promise<Pick<ExistingStore, 'schema' | 'isCurrent' | 'fault'>> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  const seen = rows.map(({ name }) => name)
  const names = Object.keys(migrations).toSorted()
  return {
    schema: seen.at(-1) ?? '',
    isCurrent: seen.join() === names.join(),
    fault: migrationFault(seen, names, { isEmpty: false }),
  }
}
