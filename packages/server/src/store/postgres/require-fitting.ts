import { setTimeout as sleep } from 'node:timers/promises'
import { UnfitDatabase } from '../unfit-database.ts'
import type { Connections } from './connections.ts'
import { isConnectionLost } from './sql-state.ts'

/** The oldest version that Vitrine is tested with, as `server_version_num` has it. */
const oldestVersion = 150_000

/** How long a database may take to be there: it may be starting beside this process. */
const startingMs = 30_000
const pauseMs = 500

/**
 * Waits for a database, and looks whether it can be relied on.
 * @throws UnfitDatabase
 */
export async function requireFitting(connections: Connections): Promise<void> {
  const settings = await readSettings(connections)
  if (settings.version < oldestVersion) {
    throw new UnfitDatabase(`PostgreSQL 15 or newer is needed, and this is ${settings.version}.`)
  }
  if (settings.encoding !== 'UTF8') {
    throw new UnfitDatabase(
      `The database is encoded in ${settings.encoding}: create it with ENCODING 'UTF8'.`,
    )
  }
  if (settings.commit === 'off') {
    throw new UnfitDatabase(
      'synchronous_commit is off, and a commit would be acknowledged before it is kept: turn it on.',
    )
  }
}

type Settings = { version: number; encoding: string; commit: string }

async function readSettings(connections: Connections): Promise<Settings> {
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
        throw new UnfitDatabase(`The database cannot be reached: ${(cause as Error).message}.`)
      }
      await sleep(pauseMs)
    }
  }
}
