import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fail } from '../src/failure.ts'
import { sendErrors } from '../src/http/errors.ts'
import { openStore } from '../src/store/store.ts'
import { bodyOf } from './body-of.ts'
import { isOnSqlite } from './test-database.ts'
import { noteProvoked } from './provoked.ts'

/** Returns the reply to a handler that fails. */
async function replyTo(failing: () => Promise<unknown>): Promise<Response> {
  const app = Fastify()
  sendErrors(app)
  app.get('/', failing)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const stopNoting = noteProvoked(url)
  try {
    const response = await fetch(url, { headers: { connection: 'close' } })
    return new Response(await response.text(), response)
  } finally {
    stopNoting()
    await app.close()
  }
}

test.runIf(isOnSqlite)('a full disk under the database is told as such', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const store = await openStore({
    database: { engine: 'sqlite', file: join(folder, 'vitrine.db') },
  })
  try {
    const response = await replyTo(() =>
      store.write(async (transaction) => {
        const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(transaction)
        await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(transaction)
        await sql`create table filler (content text)`.execute(transaction)
        await sql`insert into filler values (${'a'.repeat(1_000_000)})`.execute(transaction)
      }),
    )
    expect(response.status).toBe(507)
    expect(await bodyOf(response)).toEqual({
      code: 'STORAGE_FULL',
      message: 'Insufficient Storage',
    })
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})

test('a database that is gone is told as such, and when to try again', async () => {
  const response = await replyTo(async () => {
    throw fail('STORAGE_UNAVAILABLE')
  })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(await bodyOf(response)).toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
})

test.for(['ENOSPC', 'EDQUOT'])('%s of the file system is too', async (code) => {
  const response = await replyTo(async () => {
    throw Object.assign(new Error(`${code}: no space left on device, write`), { code })
  })
  expect(await bodyOf(response)).toMatchObject({ code: 'STORAGE_FULL' })
})

test.for([
  new Error('SELECT secret FROM /etc/passwd'),
  Object.assign(new Error('secret'), { statusCode: 418 }),
  Object.assign(new Error('secret'), { code: 'toString' }),
  'secret',
  undefined,
  null,
])('%s is an error of ours that tells nothing', async (thrown) => {
  const response = await replyTo(async () => {
    throw thrown
  })
  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toEqual({ code: 'INTERNAL', message: 'unknown error' })
})
