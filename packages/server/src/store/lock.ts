import { lockDataDir, type DataLock } from './sqlite/lock.ts'
import type { DatabaseAddress } from './store.ts'

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
