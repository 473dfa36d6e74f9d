import { setTimeout as sleep } from 'node:timers/promises'
import { migrationFault, InvalidDatabase } from '../invalid-database.ts'
import type { Connections } from './connections.ts'
import { isConnectionLost } from './sql-state.ts'

/** The oldest version that Vitrine is tested with, as `server_version_num` has it. */
const oldestVersion = 150_000

/** How long a database may take to be there: it may be starting beside this process. */
const usualStartingMs = 30_000
const pauseMs = 500

/**
 * Waits for a database, and looks whether it can be relied on.
 * @returns the migrations that it has had, oldest first
 * @throws InvalidDatabase
 */
export async function requireFitting(
  connections: Connections,
  migrations: readonly string[],
  { startingMs } = { startingMs: usualStartingMs },
): Promise<string[]> {
  const settings = await readSettings(connections, startingMs)
  if (settings.version < oldestVersion) {
    throw new InvalidDatabase(`PostgreSQL 15 or newer is needed, and this is ${settings.version}.`)
  }
  if (settings.encoding !== 'UTF8') {
    throw new InvalidDatabase(
      `The database is encoded in ${settings.encoding}: create it with ENCODING 'UTF8'.`,
    )
  }
  if (settings.commit === 'off') {
    throw new InvalidDatabase(
      'synchronous_commit is off, and a commit would be acknowledged before it is kept: turn it on.',
    )
  }
  return requireOurs(connections, migrations)
}

/** Tables of ours that another program may well have, too. */
const ourTables = ['accounts', 'blobs', 'datasets', 'kysely_migration']

async function requireOurs(
  connections: Connections,
  migrations: readonly string[],
): Promise<string[]> {
  const { rows } = await connections.read(
    `select current_database() || ', schema ' || current_schema() as place,
      array(select relname::text from pg_class
        where relnamespace = current_schema()::regnamespace and relname = any($1)) as tables`,
    [ourTables],
  )
  const { place, tables } = rows[0] as { place: string; tables: string[] }
  const executed = tables.includes('kysely_migration')
    ? (await connections.read('select name from kysely_migration order by name')).rows
    : undefined
  const names = executed?.map(({ name }: { name: string }) => name)
  const fault = migrationFault(names, migrations, { isEmpty: tables.length === 0 })
  if (fault !== undefined) throw new InvalidDatabase(`The database ${place}, ${fault}.`)
  return names ?? []
}

type Settings = { version: number; encoding: string; commit: string }

async function readSettings(connections: Connections, startingMs: number): Promise<Settings> {
  const givenUpAt = performance.now() + startingMs
  for (;;) {
    try {
      const { rows } = await connections.read(`
        select current_setting('server_version_num')::integer as version,
          current_setting('server_encoding') as encoding,
          current_setting('synchronous_commit') as commit`)
      return rows[0] as Settings
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() > givenUpAt) {
        const { cause = error } = error as Error
        throw new InvalidDatabase(`The database cannot be reached: ${(cause as Error).message}.`)
      }
      await sleep(pauseMs)
    }
  }
}
