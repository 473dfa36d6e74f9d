import type { ExistingStore } from './open-existing.ts'
import type { DatabaseAddress, Db } from './store.ts'

export type SnapshotOptions = {
  /** Reads what is in the snapshot. */
  look: (snapshot: Db) => Promise<void>
  /** Called with the part that is written, from 0 to 1, where that is known. */
  onProgress?: ((part: number) => void) | undefined
  signal: AbortSignal
}

/** A database cannot be written to a file, or read from one, as a sentence. */
export class SnapshotError extends Error {
  override name = 'SnapshotError'
}

/**
 * Writes a database as it is at one moment to a file, beside servers that write to it. The file is on
 * the disk when this returns.
 * @throws SnapshotError
 */
export async function snapshotDatabase(
  address: DatabaseAddress,
  file: string,
  options: SnapshotOptions,
): Promise<void> {
  if (address.engine === 'sqlite') {
    const { snapshotSqlite } = await import('./sqlite/snapshot-sqlite.ts')
    return snapshotSqlite(address.file, file, options)
  }
  const { snapshotPostgres } = await import('./postgres/snapshot-postgres.ts')
  return snapshotPostgres(address.url, file, options)
}

/**
 * Writes a snapshot to where there is no database, or an empty one.
 * @throws SnapshotError
 */
export async function restoreSnapshot(
  file: string,
  address: DatabaseAddress,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  if (address.engine === 'sqlite') {
    const { restoreSqlite } = await import('./sqlite/snapshot-sqlite.ts')
    return restoreSqlite(file, address.file)
  }
  const { restorePostgres } = await import('./postgres/snapshot-postgres.ts')
  return restorePostgres(file, address.url, { signal })
}

/**
 * Looks for what runs by itself in a snapshot, such as a trigger, and for other kinds of objects that no migration
 * makes. It is no proof that a snapshot is as it was written.
 * @throws SnapshotError for the first of them
 */
export async function requireOwnObjects(
  file: string,
  engine: DatabaseAddress['engine'],
  signal: AbortSignal,
): Promise<void> {
  const find =
    engine === 'sqlite'
      ? (await import('./sqlite/snapshot-sqlite.ts')).findForeignObject
      : (await import('./postgres/snapshot-postgres.ts')).findForeignObject
  const object = await find(file, signal)
  if (object === undefined) return
  throw new SnapshotError(
    `The database has a ${object}, which Vitrine does not make: drop it first.`,
  )
}

/** Tells whether there is nothing in a database yet, or no database. */
export async function isEmptyDatabase(address: DatabaseAddress): Promise<boolean> {
  if (address.engine === 'sqlite') {
    const { existsSync } = await import('node:fs')
    return !existsSync(address.file)
  }
  const { isEmptyPostgres } = await import('./postgres/snapshot-postgres.ts')
  return isEmptyPostgres(address.url)
}

/** Opens a snapshot to be read, where its file is a database; undefined where it is a dump of one. */
export async function openSnapshot(
  file: string,
  engine: DatabaseAddress['engine'],
): Promise<ExistingStore | undefined> {
  if (engine !== 'sqlite') return undefined
  const { openExistingSqlite } = await import('./sqlite/open-existing-sqlite.ts')
  return openExistingSqlite(file, { isFrozen: true })
}
