import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import type { ExistingStore } from '../open-existing.ts'
import { MissingDatabase, readSchema, InvalidDatabase } from '../invalid-database.ts'
import type { Db } from '../store.ts'
import { openSqlite } from './connection.ts'
import { migrations } from '../migrate.ts'
import { explain } from './require-fitting.ts'

/**
 * Opens a database to be read, beside a server that may be writing.
 * @param isFrozen whether nobody writes it: then no file is made beside it, and none is looked at
 * (https://www.sqlite.org/uri.html#uriimmutable)
 * @throws InvalidDatabase
 */
export async function openExistingSqlite(
  file: string,
  { isFrozen = false } = {},
): Promise<ExistingStore> {
  if (!existsSync(file)) throw new MissingDatabase(`There is no database ${file}.`)
  if ((await stat(file)).size === 0) throw new MissingDatabase(`The database ${file} is empty.`)
  const name = isFrozen ? `${pathToFileURL(file).href}?immutable=1` : file
  try {
    const { db, prepare } = openSqlite(name, { readOnly: true })
    const schema = await readSchema(db, migrations)
    const findWriteFault = () => writeFaultOf(file)
    return {
      ...schema,
      reads: db,
      prepare,
      findWriteFault,
      listFaults: () => listFaults(db),
      close: () => db.destroy(),
    }
  } catch (error) {
    const explained = explain(file, error)
    if (explained !== error) throw explained
    throw new InvalidDatabase(`${file} is no database of Vitrine: ${(error as Error).message}.`)
  }
}

/** Lists the first faults that SQLite finds (https://www.sqlite.org/pragma.html#pragma_integrity_check). */
async function listFaults(db: Db): Promise<string[]> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db)
  const faults = rows.map((row) => row.integrity_check.replaceAll('\n', ' '))
  return faults.filter((fault) => fault !== 'ok')
}

/** SQLite writes to the file, and makes others beside it. */
async function writeFaultOf(file: string): Promise<string | undefined> {
  for (const path of [file, dirname(file)]) {
    try {
      await access(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      return `this account may not write to ${path} (${(error as NodeJS.ErrnoException).code})`
    }
  }
  return undefined
}
