import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Connections } from '../src/store/postgres/connections.ts'
import { createTestDatabase, isOnSqlite, type TestDatabase } from './test-database.ts'

describe.skipIf(isOnSqlite)('a statement with a name', () => {
  let folder: string
  let database: TestDatabase
  let connections: Connections

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    database = await createTestDatabase(folder)
    connections = new Connections(database.env['VITRINE_DATABASE_URL']!, { max: 1 })
  })

  afterEach(async () => {
    await connections.end()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const named = (name: string) => ({
    name,
    text: `select $1::text as "${name}"`,
    rowMode: 'array' as const,
  })
  const ask = async (name: string, value: string) =>
    (await connections.read(named(name), [value])).rows
  const listKept = async () => {
    const { rows } = await connections.read('select name from pg_prepared_statements order by name')
    return rows.map(({ name }: { name: string }) => name)
  }

  test('is kept by its connection, as far as there is room', async () => {
    expect(await ask('first', 'one')).toEqual([['one']])
    expect(await ask('first', 'two')).toEqual([['two']])
    expect(await listKept()).toEqual(['first'])
    for (let index = 0; index < 300; index += 1) {
      expect(await ask(`more ${index}`, 'other')).toEqual([['other']])
    }
    expect(await ask('first', 'three')).toEqual([['three']])
    expect(await listKept()).toHaveLength(200)
  })

  // What a pooler of transactions does, to which each connection of ours is many of its own.
  test.for([
    { what: 'is not there', statement: 'deallocate all' },
    { what: 'was prepared by somebody else', statement: `prepare "second" as select 'other'` },
  ])('goes without it where the one of its connection $what', async ({ statement }) => {
    await ask('first', 'one')
    await connections.read(statement)
    expect(await ask('first', 'two')).toEqual([['two']])
    expect(await ask('second', 'three')).toEqual([['three']])
    const before = await listKept()
    expect(await ask('third', 'four')).toEqual([['four']])
    expect(await listKept()).toEqual(before)
  })
})
