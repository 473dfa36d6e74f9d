import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addItem } from '@vitrine/client'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createBlobHealth } from '../src/blobs/blobs.ts'
import { Probe } from '../src/upkeep/health/probe.ts'
import { createMetrics } from '../src/http/metrics.ts'
import { levels, LogLines } from './log-lines.ts'
import { startPostgresProxy } from './postgres-proxy.ts'
import { startS3Proxy } from './s3-proxy.ts'
import { startTestServer, type TestServer } from './server.ts'
import { isOnS3, ownS3Url } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite } from './test-database.ts'

let log: LogLines

beforeEach(() => {
  log = new LogLines()
})

async function start(
  env: Record<string, string> = {},
  { restarts = false } = {},
): Promise<TestServer> {
  const server = await startTestServer(
    { VITRINE_LOG_LEVEL: 'info', ...env },
    { logOutput: log.output, healthEveryMs: 20, restarts },
  )
  onTestFinished(() => server.close())
  return server
}

async function ready(server: TestServer) {
  const response = await server.request('/readyz', { token: null })
  return { http: response.status, ...((await response.json()) as object) }
}

async function gauge(server: TestServer, name: string): Promise<string | undefined> {
  const response = await server.request('/metrics', { token: null })
  expect(response.status).toBe(200)
  return new RegExp(`^${name} (.*)$`, 'm').exec(await response.text())?.[1]
}

const allUp = { http: 200, status: 'ready', database: 'up', blobs: 'up', provider: 'up' }
const storageMissing = {
  http: 503,
  code: 'STORAGE_UNAVAILABLE',
  message: 'storage is unavailable',
  status: 'not ready',
}

describe('readiness names the part that is missing', () => {
  test.skipIf(isOnS3)('the folder of the blobs', async () => {
    const server = await start()
    await expect.poll(() => ready(server)).toEqual(allUp)
    expect(await gauge(server, 'vitrine_blobs_up')).toBe('1')

    const blobs = join(server.dataDir, 'blobs')
    renameSync(blobs, `${blobs}.gone`)
    await expect.poll(() => ready(server)).toEqual({ ...allUp, ...storageMissing, blobs: 'down' })
    expect(await gauge(server, 'vitrine_blobs_up')).toBe('0')
    expect(log.with('the blob store is down')).toMatchObject([{ level: levels.error }])
    expect(log.with('the blob store is down')[0]?.err?.message).toContain('ENOENT')

    renameSync(`${blobs}.gone`, blobs)
    await expect.poll(() => ready(server)).toEqual(allUp)
    expect(log.with('the blob store is up again')).toHaveLength(1)
  })

  test.skipIf(!isOnS3)('the bucket, which is not asked by each request', async () => {
    const proxy = await startS3Proxy()
    onTestFinished(proxy.close)
    const server = await start({ VITRINE_BLOB_URL: ownS3Url(proxy.endpoint) })
    await expect.poll(() => ready(server)).toEqual(allUp)
    proxy.fault = () => 'internal'
    await expect.poll(() => ready(server)).toEqual({ ...allUp, ...storageMissing, blobs: 'down' })
    proxy.fault = () => undefined
    await expect.poll(() => ready(server)).toEqual(allUp)
  })

  test('the provider, only where its keys are not known', async () => {
    const server = await start({}, { restarts: true })
    await server.client.datasetList({})
    server.issuer.up = false
    await expect.poll(() => ready(server)).toEqual({ ...allUp, provider: 'down' })
    expect(await gauge(server, 'vitrine_provider_up')).toBe('0')
    await server.client.datasetList({})

    await server.restart()
    await expect
      .poll(() => ready(server))
      .toEqual({
        http: 503,
        code: 'PROVIDER_UNAVAILABLE',
        message: 'identity provider is unavailable',
        status: 'not ready',
        database: 'up',
        blobs: 'up',
        provider: 'down',
      })
    server.issuer.up = true
    await expect.poll(() => ready(server)).toEqual(allUp)
  })
})

describe.skipIf(isOnSqlite)('while the database is down', () => {
  test('metrics keep their last values, E3: every line of the log has a reason', async () => {
    const proxy = await startPostgresProxy()
    onTestFinished(proxy.close)
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const database = await createTestDatabase(folder)
    onTestFinished(database.drop)
    const url = proxy.through(database.env['VITRINE_DATABASE_URL']!)
    const server = await start({ VITRINE_DATABASE_URL: url })
    const schema = [{ name: 'word', type: 'string', length: 10 }]
    await server.client.repoCreate({ body: { name: 'words', schema } })
    await addItem(server.client, 'words', { word: 'one' })
    expect(await gauge(server, 'vitrine_items_committed')).toBe('1')

    proxy.cutAll()
    const ask = () => server.request('/api/dataset').then(({ status }) => status)
    for (let round = 0; round < 20; round += 1) {
      expect(await Promise.all([ask(), ask()])).toEqual([503, 503])
    }
    expect(await ready(server)).toEqual({ ...allUp, ...storageMissing, database: 'down' })
    expect(await gauge(server, 'vitrine_database_up')).toBe('0')
    expect(await gauge(server, 'vitrine_items_committed')).toBe('1')

    const errors = log.all.filter(({ level }) => level >= levels.error)
    expect(errors.length).toBeGreaterThan(40)
    // A cut connection is met while it is read or written.
    const reason =
      /^(?:storage is unavailable: )?(?:read ECONNRESET|write (?:ECONNRESET|EPIPE)|connect|Connection|Client)/
    for (const { err } of errors) expect(err?.message).toMatch(reason)

    proxy.restore()
    await expect.poll(() => ready(server)).toEqual(allUp)
    expect(await gauge(server, 'vitrine_database_up')).toBe('1')
  })
})

test('metrics keep the last count while counting fails', async () => {
  let count = () => Promise.resolve(3)
  const { registry } = createMetrics(() => count(), createBlobHealth())
  expect(await registry.metrics()).toContain('vitrine_items_committed 3\n')
  count = () => Promise.reject(new Error('the database is down'))
  expect(await registry.metrics()).toContain('vitrine_items_committed 3\n')
})

test('a probe asks once for all who wait, and gives up on what does not answer', async () => {
  let asked = 0
  const answers: ((error?: Error) => void)[] = []
  const check = () => {
    asked += 1
    return new Promise<void>((resolve, reject) => {
      answers.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  }
  const changes: (string | undefined)[] = []
  const probe = new Probe(check, {
    everyMs: 3_600_000,
    timeoutMs: 20,
    onChange: (failure) => changes.push(failure?.message),
  })
  await Promise.all([probe.refresh(), probe.refresh()])
  expect([asked, probe.isUp]).toEqual([1, false])
  // The first is still under way: no other joins it.
  await probe.refresh()
  expect(asked).toBe(1)
  answers[0]?.()
  await expect.poll(() => probe.isUp).toBe(true)
  expect(changes).toEqual(['no answer within 0.02 s', undefined])
  probe.stop()
})
