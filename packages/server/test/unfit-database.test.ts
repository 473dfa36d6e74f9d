// @module-tag whole

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig, startServer } from '../src/start.ts'
import { openStore } from '../src/store/store.ts'
import { checkData } from '../src/upkeep/verify/check-data.ts'
import { createTestDatabase, isOnSqlite } from './test-database.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  file = join(folder, 'vitrine.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

async function start(env: Record<string, string> = {}): Promise<void> {
  const settings = { VITRINE_PORT: '0', VITRINE_DATA_DIR: folder, VITRINE_LOG_LEVEL: 'silent' }
  const server = await startServer(readConfig({ ...settings, ...env }))
  await server.close()
}

/** The sentence that a start is refused with. */
async function refusal(env: Record<string, string> = {}): Promise<string> {
  const error = await start(env).then(
    () => expect.fail('it started'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ConfigError)) throw error
  expect(error.message).not.toContain('\n')
  return error.message
}

const restore = 'restore it from a backup ("Backup and restore" in docs/operating.md)'

describe.runIf(isOnSqlite)('a start is refused with a sentence, and nothing is changed', () => {
  const changed = async (change: () => void): Promise<string> => {
    change()
    const before = readFileSync(file)
    const sentence = await refusal()
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(sentence).toContain(file)
    expect(sentence).toContain('VITRINE_DATABASE_URL')
    return sentence
  }

  test('on a file that is no database', async () => {
    const sentence = await changed(() => writeFileSync(file, 'no database at all'.repeat(100)))
    expect(sentence).toContain(`is damaged (file is not a database): ${restore}`)
  })

  test('on a database that was cut off', async () => {
    await start()
    const sentence = await changed(() => truncateSync(file, statSync(file).size / 2))
    expect(sentence).toContain(`is damaged (database disk image is malformed): ${restore}`)
  })

  test('on a database with a damaged page', async () => {
    await start()
    const sentence = await changed(() => {
      const bytes = readFileSync(file)
      bytes.fill(0xff, 100, 8192)
      writeFileSync(file, bytes)
    })
    expect(sentence).toContain(`is damaged (database disk image is malformed): ${restore}`)
  })

  test('on the database of another program', async () => {
    const sentence = await changed(() => {
      const database = new DatabaseSync(file)
      database.exec('create table recipes (name text)')
      database.close()
    })
    expect(sentence).toContain('is of another program: name an empty database')
  })

  test('on the database of another program with migrations of its own', async () => {
    const sentence = await changed(() => {
      const database = new DatabaseSync(file)
      database.exec('create table kysely_migration (name text, timestamp text)')
      database.exec(`insert into kysely_migration values ('2020-recipes', '')`)
      database.close()
    })
    expect(sentence).toContain('is of another program')
  })

  test('on the database of a version before 0.1.0', async () => {
    const sentence = await changed(() => {
      const database = new DatabaseSync(file)
      database.exec(`
        create table datasets (id integer primary key autoincrement, name text);
        create table kysely_migration (name text, timestamp text);
        insert into kysely_migration values ('001-initial', ''), ('004-blob-removals', '')`)
      database.close()
    })
    expect(sentence).toContain(
      'is of a version before 0.1.0: export its datasets with commit 11511cd (`vitrine export`)',
    )
    const { database, blobs, dataDir } = readConfig({ VITRINE_DATA_DIR: folder })
    await expect(checkData({ database, blobs, dataDir }).next()).rejects.toThrow(
      'The database is of a version before 0.1.0',
    )
  })

  test('on the database of a newer version', async () => {
    await start()
    const sentence = await changed(() => {
      const database = new DatabaseSync(file)
      database.exec(`insert into kysely_migration values ('999-of-the-future', '2030')`)
      database.close()
    })
    expect(sentence).toContain('is of a newer version of Vitrine, which made the changes 999-of')
    expect(sentence).toContain(`start that version, or ${restore}`)
  })

  test('with a folder in place of the database file', async () => {
    mkdirSync(file)
    expect(await refusal()).toMatch(/cannot be opened \(.*\): let this account read and write/)
  })

  test('on a lock that is damaged', async () => {
    const lock = join(folder, 'lock.db')
    writeFileSync(lock, 'no database at all'.repeat(100))
    expect(await refusal()).toContain(
      `${lock} cannot be locked (file is not a database): remove it`,
    )
  })
})

describe.skipIf(isOnSqlite)('on PostgreSQL a start is refused with a sentence', () => {
  const prepared = async (statements: string[]) => {
    const database = await createTestDatabase(folder)
    onTestFinished(database.drop)
    await database.use((store) =>
      store.write(async (transaction) => {
        for (const statement of statements) await sql.raw(statement).execute(transaction)
      }),
    )
    return refusal(database.env)
  }

  test('on the database of a newer version', async () => {
    const sentence = await prepared([
      `insert into kysely_migration values ('999-of-the-future', '2030')`,
    ])
    expect(sentence).toMatch(/^The database vitrine_\w+, schema public, is of a newer version/)
  })

  test('on the database of a version before 0.1.0', async () => {
    const sentence = await prepared([
      `insert into kysely_migration values ('004-blob-removals', '2026')`,
    ])
    expect(sentence).toMatch(/^The database vitrine_\w+, schema public, is of a version before 0/)
  })

  test('on the database of another program', async () => {
    const sentence = await prepared([
      'drop table kysely_migration',
      'drop table kysely_migration_lock',
    ])
    expect(sentence).toContain('is of another program: name an empty database')
  })
})

describe.runIf(isOnSqlite && process.platform !== 'win32')('only its owner may read', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const modes = () => [file, `${file}-wal`, `${file}-shm`].map(modeOf)

  test('a database that is made in a folder that was there', async () => {
    chmodSync(folder, 0o755)
    const store = await openStore({ database: { engine: 'sqlite', file } })
    expect(modes()).toEqual(['600', '600', '600'])
    await store.close()
  })

  test('a database of before, and its log', async () => {
    const before = await openStore({ database: { engine: 'sqlite', file } })
    for (const path of [file, `${file}-wal`, `${file}-shm`]) chmodSync(path, 0o644)
    const store = await openStore({ database: { engine: 'sqlite', file } })
    expect(modes()).toEqual(['600', '600', '600'])
    await store.close()
    await before.close()
  })

  test('the folders and the lock that a start makes', async () => {
    await start({ VITRINE_DATA_DIR: join(folder, 'data') })
    const made = ['data', 'data/blobs', 'data/blobs/ab', 'data/blobs/tmp']
    expect(made.map((name) => modeOf(join(folder, name)))).toEqual(['700', '700', '700', '700'])
    expect(modeOf(join(folder, 'data', 'lock.db'))).toBe('600')
  })
})
