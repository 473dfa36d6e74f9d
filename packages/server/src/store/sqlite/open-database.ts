import { DatabaseSync } from 'node:sqlite'

/**
 * Opens one connection as every thread uses it. It loads nothing else, as each thread keeps a copy of all
 * code that it loads.
 */
export function openDatabase(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000 })
  if (!readOnly) {
    database.exec('PRAGMA journal_mode = WAL')
    // After WAL: switching the journal mode may reset it, and less than FULL loses acknowledged
    // commits at a power cut (https://www.sqlite.org/pragma.html#pragma_synchronous).
    database.exec('PRAGMA synchronous = FULL')
    expectPragma(database, 'journal_mode', 'wal')
    expectPragma(database, 'synchronous', 2)
  }
  database.exec('PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384')
  return database
}

function expectPragma(database: DatabaseSync, pragma: string, expected: string | number): void {
  const actual = database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]
  if (actual !== expected) {
    throw new Error(`SQLite refused PRAGMA ${pragma} = ${expected}: it is ${String(actual)}`)
  }
}
