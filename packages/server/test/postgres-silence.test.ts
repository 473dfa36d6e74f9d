// @module-tag whole

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Connections } from '../src/store/postgres/connections.ts'
import { startPostgresProxy, type PostgresProxy } from './postgres-proxy.ts'
import { createTestDatabase, isOnSqlite, type TestDatabase } from './test-database.ts'

/** Far more than a machine with other work takes for a statement. */
const silenceMs = 8000

describe.skipIf(isOnSqlite)('a connection on which PostgreSQL falls silent', () => {
  let folder: string
  let database: TestDatabase
  let proxy: PostgresProxy
  let connections: Connections

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    database = await createTestDatabase(folder)
    proxy = await startPostgresProxy()
    const url = proxy.through(database.env['VITRINE_DATABASE_URL']!)
    connections = new Connections(url, { max: 1, silenceMs })
  })

  afterEach(async () => {
    await connections.end()
    await proxy.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const one = async () => (await connections.read('select 1 as one')).rows

  test('is given up, and another one is made', async () => {
    const connection = await connections.connect()
    await connection.query('begin')
    proxy.silence()
    await expect(connection.query('select 1')).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
    connection.release()
    expect(await one()).toEqual([{ one: 1 }])
    expect(proxy.attempts).toBe(2)
  })

  test('has a read made again on another one', async () => {
    await one()
    proxy.silence()
    expect(await one()).toEqual([{ one: 1 }])
    expect(proxy.attempts).toBe(2)
  })
})
