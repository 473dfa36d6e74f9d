// @module-tag whole

import { randomBytes } from 'node:crypto'
import { createClient, openReply } from '@vitrine/client'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig, startServer } from '../src/start.ts'
import { bodyOf } from './body-of.ts'
import { LogLines } from './log-lines.ts'
import { fillNumbered, forgetReaders, keptSnapshots, snapshotFile } from './numbered-words.ts'
import { patient } from './patient.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'
import { isOnSqlite } from './test-database.ts'

async function startOwn(
  env: Record<string, string> = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  const own = await startTestServer(env, options)
  onTestFinished(() => own.close())
  return own
}

const bounds = patient.snapshotBounds!

test('many who ask at once share one making', async () => {
  const log = new LogLines()
  const own = await startOwn({ VITRINE_LOG_LEVEL: 'info' }, { logOutput: log.output })
  await fillNumbered(own, 5000)
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => own.request(snapshotFile('words@5000'))),
  )
  expect(new Set(replies.map((reply) => reply.headers.get('etag'))).size).toBe(1)
  expect(log.with('a snapshot was made')).toMatchObject([{ dataset: 'words', at: 5000 }])
})

// SQLite belongs to one process. Within this one, the servers share nothing but database and blobs.
test.skipIf(isOnSqlite)('processes share one making', async () => {
  const log = new LogLines()
  const logging = { VITRINE_LOG_LEVEL: 'info' }
  const own = await startOwn(logging, { logOutput: log.output })
  await fillNumbered(own, 20_000)
  const { issuer, database, blobs, dataDir } = own
  const env = {
    VITRINE_PORT: '0',
    VITRINE_DATA_DIR: dataDir,
    VITRINE_OIDC_AUTHORITY: issuer.issuer,
    VITRINE_OIDC_CLIENT_ID: issuer.clientId,
    VITRINE_OIDC_AUDIENCE: issuer.audience,
    ...logging,
    ...blobs.env,
    ...database.env,
  }
  const other = await startServer(readConfig(env), { ...patient, logOutput: log.output })
  onTestFinished(() => other.close())
  const token = await issuer.token()
  const elsewhere = createClient({
    baseUrl: `http://127.0.0.1:${other.port}`,
    token: () => token,
  })
  const [here, there] = await Promise.all(
    [own.client, elsewhere].map((each) => each.datasetSnapshot({ datasetId: 'words@20000' })),
  )
  expect(here!.parts[0]!.sha256).toBe(there!.parts[0]!.sha256)
  expect(log.with('a snapshot was made')).toHaveLength(1)
})

test('a snapshot that is not ready in time is answered with 503, and with 200 once it is made', async () => {
  const own = await startOwn({}, { snapshotBounds: { ...bounds, waitMs: 0 } })
  await fillNumbered(own)
  const response = await own.request(snapshotFile('words@40'))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(await bodyOf(response)).toMatchObject({ code: 'SNAPSHOT_NOT_READY' })
  await expect.poll(() => keptSnapshots(own)).toHaveLength(1)
  expect((await own.request(snapshotFile('words@40'))).status).toBe(200)
})

test('a snapshot survives a restart', async () => {
  const own = await startOwn({}, { restarts: true })
  await fillNumbered(own)
  const { parts } = await own.client.datasetSnapshot({ datasetId: 'words@40' })
  await own.restart()
  expect(await keptSnapshots(own)).toEqual([parts[0]!.sha256])
  const file = await own.client.datasetSnapshotFile({ datasetId: 'words@40' })
  expect(sha256(new Uint8Array(await file.arrayBuffer()))).toBe(parts[0]!.sha256)
})

test('a snapshot is collected where nobody reads it, and made again', async () => {
  const own = await startOwn()
  await fillNumbered(own)
  const { parts } = await own.client.datasetSnapshot({ datasetId: 'words@40' })
  await own.upkeep()
  expect(await own.blobs.list()).toEqual([parts[0]!.sha256])
  await forgetReaders(own)
  await own.upkeep()
  expect(await keptSnapshots(own)).toEqual([])
  expect(await own.blobs.list()).toEqual([])
  expect((await own.client.datasetSnapshot({ datasetId: 'words@40' })).parts).toEqual(parts)
})

test('a snapshot is collected with its dataset', async () => {
  const own = await startOwn()
  await fillNumbered(own)
  await own.client.datasetSnapshot({ datasetId: 'words@40' })
  await own.client.repoDelete({ datasetId: 'words' })
  await own.upkeep({ snapshots: { quietMs: 0, idleMs: 3_600_000 } })
  expect(await keptSnapshots(own)).toEqual([])
  expect(await own.blobs.list()).toEqual([])
  await fillNumbered(own, 3)
  expect(await own.client.datasetSnapshot({ datasetId: 'words@3' })).toMatchObject({ rows: 3 })
})

test('a snapshot has no more bytes than are allowed: what was read longest ago goes first', async () => {
  const other = await startOwn()
  await fillNumbered(other)
  const sizes = await Promise.all(
    ['words@10', 'words@20', 'words@30'].map(
      async (datasetId) => (await other.client.datasetSnapshot({ datasetId })).bytes,
    ),
  )
  const two = sizes[1]! + sizes[2]!
  const own = await startOwn({ VITRINE_MAX_SNAPSHOT_BYTES: String(two) })
  await fillNumbered(own)
  const made = (at: number) => own.client.datasetSnapshot({ datasetId: `words@${at}` })
  const first = await made(10)
  const second = await made(20)
  // Both were read a moment ago.
  const refused = await own.request(snapshotFile('words@30'))
  expect(await bodyOf(refused)).toMatchObject({ code: 'SNAPSHOT_NOT_READY' })
  expect(await keptSnapshots(own)).toHaveLength(2)
  await forgetReaders(own)
  const third = await made(30)
  const digests = [second, third].map(({ parts }) => parts[0]!.sha256)
  expect(await keptSnapshots(own)).toEqual(digests.toSorted())
  await own.upkeep({ snapshots: { quietMs: 0, idleMs: 3_600_000_000_000 } })
  expect(await own.blobs.list()).toEqual(digests.toSorted())
  expect(first.bytes).toBe(sizes[0])
})

test('a snapshot stays as long as it is read', async () => {
  const own = await startOwn()
  // More than lies in the buffers of a connection.
  await fillNumbered(own, 40_000, () => randomBytes(200).toString('hex'))
  const large = { datasetId: 'words@40000' }
  const { bytes } = await own.client.datasetSnapshot(large)
  const { body } = await openReply(own.client, 'datasetSnapshotFile', large)
  const reader = body!.getReader()
  let length = (await reader.read()).value!.length
  const sweep = async () => {
    await forgetReaders(own)
    await own.upkeep({ snapshots: { quietMs: 0, idleMs: 0 } })
    return keptSnapshots(own)
  }
  expect(await sweep()).toHaveLength(1)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
  }
  expect(length).toBe(bytes)
  await expect.poll(sweep).toEqual([])
})

test('a snapshot has nothing that is larger than all may be', async () => {
  const own = await startOwn({ VITRINE_MAX_SNAPSHOT_BYTES: '100' })
  await fillNumbered(own)
  for (let times = 0; times < 2; times += 1) {
    const response = await own.request(snapshotFile('words@40'))
    expect(response.status).toBe(422)
    expect(await bodyOf(response)).toMatchObject({ code: 'SNAPSHOT_TOO_LARGE' })
  }
  expect(await keptSnapshots(own)).toEqual([])
  expect(await own.blobs.unpublished()).toEqual([])
})

test('a snapshot is made again where its file is damaged', async () => {
  const own = await startOwn()
  await fillNumbered(own)
  const { parts } = await own.client.datasetSnapshot({ datasetId: 'words@40' })
  await own.blobs.put(parts[0]!.sha256, 'damaged')
  const damaged = await own.request(snapshotFile('words@40'))
  expect(damaged.status).toBe(500)
  expect(await bodyOf(damaged)).toMatchObject({ code: 'VALUE_DAMAGED' })
  expect(await keptSnapshots(own)).toEqual([])
  const file = await own.client.datasetSnapshotFile({ datasetId: 'words@40' })
  expect(sha256(new Uint8Array(await file.arrayBuffer()))).toBe(parts[0]!.sha256)
  expect(await own.client.damageList({})).toEqual([])
})

test('a snapshot is not announced where there is no room for any', async () => {
  const own = await startOwn({ VITRINE_MAX_SNAPSHOT_BYTES: '0' })
  const { features } = (await (await own.request('/config.json')).json()) as {
    features: string[]
  }
  expect(features).not.toContain('snapshots')
})
