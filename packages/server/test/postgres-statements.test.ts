// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Connections } from '../src/store/postgres/connections.ts'
import { statement } from '../src/store/statement.ts'
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

  test('stays prepared on its connection, up to 200 of them', async () => {
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

  test('is retried without its name, with all writes of its group, after a pooler switches servers', async () => {
    const store = await database.open()
    onTestFinished(() => store.close())
    const echo = statement<{ text: string }, { text: string }>(
      (slot) => sql`select cast(${slot('text')} as text) as text`,
    )
    const write = (text: string) =>
      store.write(async (transaction) => (await echo(transaction, { text }))[0]?.text)
    expect(await write('one')).toBe('one')
    await store.write((transaction) => sql`deallocate all`.execute(transaction))
    expect(await Promise.all(['two', 'three'].map(write))).toEqual(['two', 'three'])
    expect(await write('four')).toBe('four')
  })
})
