import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { commitsPerSecond } from './durable-commits.ts'
import type { Engine } from './engine.ts'
import { filledSqliteFile } from './filled-sqlite-file.ts'

const addressOf = (file: string) => ({ VITRINE_DATABASE_URL: `sqlite:${file}` })

export const sqliteEngine: Engine = {
  name: 'sqlite',
  version: `SQLite ${process.versions['sqlite']}`,
  // In the server's data folder.
  newDatabase: async () => ({}),
  filledDatabase: async (opened) => {
    const file = join(temporaryFolder(opened), 'copy.db')
    const filled = await filledSqliteFile()
    // All that is in the write-ahead log comes into the file that is copied.
    const database = new DatabaseSync(filled)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    copyFileSync(filled, file)
    return addressOf(file)
  },
  durableCommits: async (opened) => {
    const database = new DatabaseSync(join(temporaryFolder(opened), 'limit.db'))
    opened.defer(() => database.close())
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec('create table item (id integer primary key, title text not null) strict')
    const insert = database.prepare('insert into item (title) values (?)')
    return {
      what: 'durable commits of bare SQLite',
      perSecond: (seconds) =>
        commitsPerSecond(seconds, () => void insert.run('A picture of something')),
    }
  },
}

function temporaryFolder(opened: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  return folder
}
