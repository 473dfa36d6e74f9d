import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseAddress } from './store.ts'
import { privateFile, privateFolder } from '../runtime/private-modes.ts'
import { InvalidDatabase } from './invalid-database.ts'

/** Takes a folder that one process at a time writes to; undefined when another process has it. */
export const lockFolder: (folder: string) => DataLock | undefined = lockDataDir

/**
 * Takes what keeps a second process from working on the same installation, where only one can: on
 * SQLite. PostgreSQL serves many.
 * @returns undefined when another process has it
 */
export function lockInstallation({
  database,
  dataDir,
}: {
  database: DatabaseAddress
  dataDir: string
}): DataLock | undefined {
  return database.engine === 'sqlite' ? lockDataDir(dataDir) : { release: () => undefined }
}

/** Held by the one process that works on a data folder; the system releases it however that ends. */
export type DataLock = { release: () => void }

/**
 * Takes the lock of a data folder: an exclusive transaction on a database of its own, as SQLite knows
 * how to lock a file on every platform.
 * @returns undefined when another process holds it
 */
function lockDataDir(dataDir: string): DataLock | undefined {
  mkdirSync(dataDir, { recursive: true, mode: privateFolder })
  const file = join(dataDir, 'lock.db')
  closeSync(openSync(file, 'a', privateFile))
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === busy) return undefined
    // It holds no data, so nothing is lost.
    throw new InvalidDatabase(`${file} cannot be locked (${(error as Error).message}): remove it.`)
  }
  return { release: () => database.close() }
}

/** https://www.sqlite.org/rescode.html#busy */
const busy = 5
