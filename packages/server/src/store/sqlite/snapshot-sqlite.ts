import { chmod, copyFile, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { SnapshotOptions } from '../snapshot.ts'
import { openExistingSqlite } from './open-existing-sqlite.ts'
import { privateFile, privateFolder } from '../../runtime/private-modes.ts'

/** Pages that are copied before anything else has its turn. */
const pagesAtOnce = 1000

export async function snapshotSqlite(
  file: string,
  target: string,
  { look, onProgress, signal }: SnapshotOptions,
): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    // Without it the copy would begin again with each commit of another process
    // (https://www.sqlite.org/backup.html#concurrent_usage_of_database_connections).
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    await backup(source, target, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted()
        onProgress?.(1 - remainingPages / totalPages)
      },
    })
  } finally {
    source.close()
  }
  await chmod(target, privateFile)
  await sync(target)
  const snapshot = await openExistingSqlite(target, { isFrozen: true })
  try {
    await look(snapshot.reads)
  } finally {
    await snapshot.close()
  }
}

/** Finds an object that is neither a plain table nor an index, as `kind name`. */
export async function findForeignObject(file: string): Promise<string | undefined> {
  const database = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true })
  try {
    const object = database
      .prepare(
        `select iif(type = 'table', 'virtual table', type) as type, name from sqlite_schema
         where type not in ('table', 'index') or sql like 'create virtual%' limit 1`,
      )
      .get()
    return object && `${object['type'] as string} ${object['name'] as string}`
  } finally {
    database.close()
  }
}

/** Under its name the database is whole. */
export async function restoreSqlite(file: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: privateFolder })
  const partial = `${target}.part`
  await copyFile(file, partial)
  await chmod(partial, privateFile)
  await sync(partial)
  await rename(partial, target)
  // Windows cannot open a folder; NTFS journals names by itself.
  if (process.platform !== 'win32') await sync(dirname(target))
}

async function sync(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
