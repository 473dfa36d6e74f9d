import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { ExistingStore } from '../open-existing.ts'
import { readSchema } from '../read-schema.ts'
import { UnfitDatabase } from '../unfit-database.ts'
import { openSqlite } from './connection.ts'
import { sqliteMigrations } from './open-sqlite-store.ts'
import { explain } from './require-fitting.ts'

/**
 * Opens a database to be read, beside a server that may be writing.
 * @param isFrozen whether nobody writes it: then no file is made beside it, and none is looked at
 * (https://www.sqlite.org/uri.html#uriimmutable)
 * @throws UnfitDatabase
 */
export async function openExistingSqlite(
  file: string,
  { isFrozen = false } = {},
): Promise<ExistingStore> {
  if (!existsSync(file)) throw new UnfitDatabase(`There is no database ${file}.`)
  const name = isFrozen ? `${pathToFileURL(file).href}?immutable=1` : file
  try {
    const { db, prepare } = openSqlite(name, { readOnly: true })
    const schema = await readSchema(db, sqliteMigrations)
    return { ...schema, reads: db, prepare, close: () => db.destroy() }
  } catch (error) {
    const explained = explain(file, error)
    if (explained !== error) throw explained
    throw new UnfitDatabase(`${file} is no database of Vitrine: ${(error as Error).message}.`)
  }
}
