// @module-tag whole

import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@vitrine/client'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig, startServer, type RunningServer } from '../src/start.ts'
import { startIssuer, type Issuer } from './issuer.ts'
import { patient } from './patient.ts'
import { sha256 } from './photos.ts'
import { startPostgresProxy, type Cut, type PostgresProxy } from './postgres-proxy.ts'
import { createTestDatabase, isOnSqlite, type TestDatabase } from './test-database.ts'
import { until, untilDone } from './until.ts'

/** More of them make a soak: `CUTS=300 npm run test:engines -- …/postgres-outage.test.ts`. */
const cuts = Number(process.env['CUTS'] ?? 8)
/** From one cut to the next, at most so many commits; until connections are let through, so many refusals. */
const between = { commits: 60, refusals: 30 }
const writers = 16
const datasetId = 'words'

const unavailable = { status: 503, code: 'STORAGE_UNAVAILABLE' }

const saysCommit = (message: Buffer) => message.includes('commit\0')
const saysInsert = (message: Buffer) => message.includes('insert into "items_')
const saysChecked = (message: Buffer) => message.includes('update "imports" set "rows"')
const saysItems = (message: Buffer) => message.includes('"items_')

describe.skipIf(isOnSqlite)('while connections to the database are cut', () => {
  let folder: string
  let database: TestDatabase
  let proxy: PostgresProxy
  let issuer: Issuer
  let server: RunningServer
  let url: string
  let client: Client

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    database = await createTestDatabase(folder)
    proxy = await startPostgresProxy()
    issuer = await startIssuer()
    server = await startServer(
      readConfig({
        VITRINE_PORT: '0',
        VITRINE_DATA_DIR: folder,
        VITRINE_DATABASE_URL: proxy.through(database.env['VITRINE_DATABASE_URL']!),
        VITRINE_OIDC_AUTHORITY: issuer.issuer,
        VITRINE_OIDC_CLIENT_ID: issuer.clientId,
        VITRINE_OIDC_AUDIENCE: issuer.audience,
        VITRINE_LOG_LEVEL: 'silent',
      }),
      patient,
    )
    url = `http://127.0.0.1:${server.port}`
    const token = await issuer.token()
    client = createClient({ baseUrl: url, token: () => token, retries: 0 })
    await client.repoCreate({
      body: { name: datasetId, schema: [{ name: 'word', type: 'string', length: 100 }] },
    })
    await client.viewCreate({
      body: { name: 'ending', base: datasetId, where: { word: { ends_with: '7' } } },
    })
  })

  afterEach(async () => {
    proxy.cutAt = () => undefined
    proxy.restore()
    await server.close()
    await proxy.close()
    await issuer.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const begin = () => client.insertBegin({ datasetId })
  const upload = (itemId: number, word: string) =>
    client.insertFieldUpload({ datasetId, itemId, fieldName: 'word', body: word })
  const commit = (itemId: number, word: string) =>
    client.insertCommit({
      datasetId,
      itemId,
      body: { integrity: { word: { sha256: sha256(word) } } },
    })
  const add = async (word: string) => {
    const { id } = await begin()
    await upload(id, word)
    return commit(id, word)
  }
  const count = async (name: string) => (await client.datasetCount({ datasetId: name })).totalItems
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200

  test('everything is refused for a while, and goes on by itself', async () => {
    await add('first')
    const { id } = await begin()
    await upload(id, 'second')
    proxy.cutAll()
    await expect(client.datasetItemList({ datasetId })).rejects.toMatchObject({
      ...unavailable,
      retryAfter: 1,
    })
    await expect(begin()).rejects.toMatchObject(unavailable)
    await expect(commit(id, 'second')).rejects.toMatchObject(unavailable)
    expect(await isReady()).toBe(false)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)

    // However many ask, one knocks, and the others are told what was found before.
    proxy.holdNew()
    const knocks = proxy.attempts
    let refused = 0
    const ask = async () => {
      for (let round = 0; round < 10; round += 1) {
        await expect(count(datasetId)).rejects.toMatchObject(unavailable)
        refused += 1
      }
    }
    const asked = Array.from({ length: 50 }, ask)
    await until(() => refused >= 480)
    expect(proxy.attempts - knocks).toBeLessThanOrEqual(2)
    proxy.cutAll()
    await Promise.all(asked)

    proxy.restore()
    await expect.poll(isReady).toBe(true)
    expect(await count(datasetId)).toBe(1)
    await expect.poll(() => commit(id, 'second').catch(() => undefined)).toEqual({ id })
    expect(await count(datasetId)).toBe(2)
  })

  test.for(['unsent', 'unanswered'] as Cut[])(
    'a commit that is cut off while it is %s is not acknowledged, and can be made again',
    async (cut) => {
      const { id } = await begin()
      await upload(id, 'only')
      let isCut = false
      // Other transactions, of what is done in the background, come in between.
      let inserting: Socket | undefined
      proxy.cutAt = (message, connection) => {
        if (saysInsert(message)) inserting = connection
        if (isCut || connection !== inserting || !saysCommit(message)) return undefined
        isCut = true
        return cut
      }
      await expect(commit(id, 'only')).rejects.toMatchObject(unavailable)
      expect(isCut).toBe(true)
      expect(await count(datasetId)).toBe(cut === 'unsent' ? 0 : 1)
      expect(await commit(id, 'only')).toEqual({ id })
      expect(await count(datasetId)).toBe(1)
    },
  )

  test('an import that finds no database goes on once it is there again', async () => {
    const file = ndjson(['first', 'second'])
    const importOf = (key: string, body = file) =>
      client.importBegin({ datasetId, format: 'ndjson', key, body })
    // More often than a write is run again.
    let left = 10
    proxy.cutAt = (message) => (saysChecked(message) && left-- > 0 ? 'unsent' : undefined)
    expect(await importOf('cut')).toMatchObject({ state: 'done', items: { from: 0, to: 2 } })
    expect(left).toBeLessThanOrEqual(0)
    expect(await count(datasetId)).toBe(2)

    // What the file is to blame for is told as ever.
    left = 10
    await expect(importOf('refused', ndjson(['x'.repeat(101)]))).rejects.toMatchObject({
      status: 422,
      code: 'IMPORT_REFUSED',
    })
    expect(left).toBeLessThanOrEqual(0)
  })

  test('a read whose connection is cut is made again by itself', async () => {
    await add('first')
    // From here on nobody else reads items.
    expect(await count('ending')).toBe(0)
    const cuts = proxy.cuts
    let left = 1
    proxy.cutAt = (message) => (saysItems(message) && left-- > 0 ? 'unanswered' : undefined)
    const items = await client.datasetItemList({ datasetId })
    expect(items.map(({ data }) => data['word'])).toEqual(['first'])
    expect(proxy.cuts).toBe(cuts + 1)
  })

  test(
    `nothing acknowledged is lost or there twice after ${cuts} cuts`,
    { timeout: cuts * 60_000 + 240_000 },
    async () => {
      const acknowledged = new Map<number, string>()
      const over = new AbortController()
      let refusals = 0
      const untilTaken = <T>(attempt: () => Promise<T>) =>
        untilDone(attempt, (error) => {
          expect(error).toMatchObject({
            status: 503,
            code: expect.stringMatching(/^(STORAGE_UNAVAILABLE|OVERLOADED)$/) as string,
          })
          refusals += 1
          return true
        })
      const write = async (writer: number) => {
        for (let round = 0; !over.signal.aborted; round += 1) {
          const word = `${writer} ${round}`
          const { id } = await untilTaken(begin)
          await untilTaken(() => upload(id, word))
          expect(await untilTaken(() => commit(id, word))).toEqual({ id })
          acknowledged.set(id, word)
        }
      }
      // What was seen once is there from then on, each item once.
      const read = async (name: string) => {
        for (let seen = 0; !over.signal.aborted;) {
          const now = await untilTaken(() => count(name))
          expect(now).toBeGreaterThanOrEqual(seen)
          seen = now
        }
      }
      const cutNowAndThen = async () => {
        for (let cut = 0; cut < cuts; cut += 1) {
          const commits = acknowledged.size + Math.random() * between.commits
          await until(() => acknowledged.size >= commits)
          proxy.cutAll()
          const enough = refusals + Math.random() * between.refusals
          await until(() => refusals >= enough)
          proxy.restore()
        }
        over.abort()
      }
      proxy.cutAt = (message) => {
        if (saysCommit(message) && Math.random() < 0.05) return pickCut()
        return Math.random() < 0.002 ? pickCut() : undefined
      }
      await Promise.all([
        cutNowAndThen(),
        read(datasetId),
        read('ending'),
        ...Array.from({ length: writers }, (_, writer) => write(writer)),
      ])
      proxy.cutAt = () => undefined
      console.log(`${acknowledged.size} commits, ${refusals} refusals, ${proxy.cuts} cuts`)

      await expect.poll(isReady).toBe(true)
      const ends = [...acknowledged.values()].filter((word) => word.endsWith('7'))
      expect(await untilTaken(() => count(datasetId))).toBe(acknowledged.size)
      expect(await untilTaken(() => count('ending'))).toBe(ends.length)
      const rows = await database.use(async ({ reads }) => {
        const { id } = await reads
          .selectFrom('datasets')
          .select('id')
          .where('name', '=', datasetId)
          .executeTakeFirstOrThrow()
        const found = await sql<{ id: number; position: number; f0: string }>`
          select id, position, f0 from ${sql.table(`items_${id}`)} order by position`.execute(reads)
        return found.rows
      })
      expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index))
      expect(new Map(rows.map(({ id, f0 }) => [id, f0]))).toEqual(acknowledged)
    },
  )
})

const ndjson = (words: string[]) => words.map((word) => `${JSON.stringify({ word })}\n`).join('')

const pickCut = (): Cut => (Math.random() < 0.5 ? 'unsent' : 'unanswered')
