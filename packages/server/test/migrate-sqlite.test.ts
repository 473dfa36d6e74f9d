import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, migrations } from '../src/store/migrate.ts'
import { openSqlite } from '../src/store/sqlite/connection.ts'

function openDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { db, close } = openSqlite(join(folder, 'vitrine.db'), { readOnly: false })
  onTestFinished(close)
  return db
}

test('an upgrade that does not get to its end leaves the database as it was, and is made the next time', async () => {
  const db = openDatabase()
  await migrate(db, migrations, [])

  const adds = async (to: Kysely<unknown>) => {
    await to.schema.createTable('shelves').addColumn('id', 'integer').execute()
  }
  const stops = async () => {
    throw new Error('the disk is full')
  }
  const next = { ...migrations, '998-shelves': { up: adds } }
  const executed = Object.keys(migrations)
  await expect(migrate(db, { ...next, '999-stops': { up: stops } }, executed)).rejects.toThrow(
    'the disk is full',
  )
  const tables = async () =>
    (await sql<{ name: string }>`select name from sqlite_schema where name = 'shelves'`.execute(db))
      .rows
  expect(await tables()).toEqual([])

  await migrate(db, next, executed)
  expect(await tables()).toEqual([{ name: 'shelves' }])
})

test('segments of a search index that has grams of texts alone are removed', async () => {
  const db = openDatabase()
  const { '017-indexed-values': last, ...before } = migrations
  await migrate(db, before, [])
  const segment = { dataset_id: 1, segment: 0, part: 0, slices: Buffer.alloc(64) }
  await db.insertInto('search_slices').values(segment).execute()
  await migrate(db, { ...before, '017-indexed-values': last! }, Object.keys(before))
  expect(await db.selectFrom('search_slices').selectAll().execute()).toEqual([])
})
