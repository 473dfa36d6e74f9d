import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { privateFile } from '../../runtime/private-modes.ts'
import { damaged, migrationFault, InvalidDatabase } from '../invalid-database.ts'

/**
 * Looks whether a file is a database of this installation, or can become one, before anything is written
 * to it, and keeps others on this machine from reading it.
 * @returns the migrations that it has had, oldest first
 * @throws InvalidDatabase
 */
export function requireFitting(file: string, migrations: readonly string[]): string[] {
  try {
    makePrivate(file)
    return statSync(file).size === 0 ? [] : readMigrations(file, migrations)
  } catch (error) {
    throw explain(file, error)
  }
}

/** SQLite gives its log the mode of the database, where it makes it. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', privateFile))
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) tighten(path)
  }
}

function tighten(path: string): void {
  try {
    chmodSync(path, privateFile)
  } catch (error) {
    // Whoever owns it, and lets this account write to it, has decided about that.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

function readMigrations(file: string, migrations: readonly string[]): string[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all()
    const names = tables.map(({ name }) => name)
    const executed = names.includes('kysely_migration')
      ? database.prepare('select name from kysely_migration order by name').all()
      : undefined
    const executedNames = executed?.map(({ name }) => String(name))
    const fault = migrationFault(executedNames, migrations, { isEmpty: names.length === 0 })
    if (fault !== undefined) throw new InvalidDatabase(`The database ${file} ${fault}.`)
    return executedNames ?? []
  } finally {
    database.close()
  }
}

/** https://www.sqlite.org/rescode.html */
const codes = { readOnly: 8, corrupt: 11, cannotOpen: 14, notDatabase: 26 }

/** An error of opening or migrating a database, as a sentence where the file is what is wrong. */
export function explain(file: string, error: unknown): unknown {
  const { errcode, code, message } = error as { errcode?: number; code?: string; message: string }
  // Extended codes have the primary one in their lowest byte.
  switch (errcode === undefined ? code : errcode & 0xff) {
    case codes.corrupt:
    case codes.notDatabase:
      return new InvalidDatabase(`The database ${file} ${damaged(message)}.`)
    case codes.readOnly:
    case codes.cannotOpen:
    case 'EACCES':
    case 'EISDIR':
    case 'EROFS':
      return new InvalidDatabase(
        `The database ${file} cannot be opened (${message}): let this account read and write the file and its folder.`,
      )
    default:
      return error
  }
}
