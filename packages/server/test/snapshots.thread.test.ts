// @module-tag engines

import { addItem, openReply, type Client } from '@vitrine/client'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import {
  fillNumbered,
  forgetReaders,
  keptSnapshots,
  snapshotFile,
  wordSchema,
} from './numbered-words.ts'
import { patient } from './patient.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

let server: TestServer
let client: Client

const bounds = patient.snapshotBounds!

beforeAll(async () => {
  server = await startTestServer()
  client = server.client
  await fillNumbered(server)
  await client.viewCreate({ body: { name: 'sorted', base: 'words', order: ['-number'], limit: 5 } })
  await client.viewCreate({ body: { name: 'none', base: 'words', where: { word: { eq: 'x' } } } })
})

afterAll(() => server.close())

async function startOwn(
  env: Record<string, string> = {},
  options: TestServerOptions = {},
): Promise<TestServer> {
  const own = await startTestServer(env, options)
  onTestFinished(() => own.close())
  return own
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.request(path, { headers, method })

async function rowsOf(bytes: ArrayBuffer): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: bytes, compressors })
}

test.each([
  ['words@40', 40],
  ['words@7', 7],
  ['sorted@40', 5],
  ['none@40', 0],
  ['words@0', 0],
])('%s is one file, as it is exported', async (state, count) => {
  const response = await get(snapshotFile(state))
  expect(response.status).toBe(200)
  const bytes = await response.arrayBuffer()
  const digest = sha256(new Uint8Array(bytes))
  expect(Object.fromEntries(response.headers)).toMatchObject({
    etag: `"${digest}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-length': String(bytes.byteLength),
    'content-type': 'application/vnd.apache.parquet',
    'content-disposition': `attachment; filename="${state}.parquet"`,
    'vitrine-state': state.split('@')[1]!,
  })
  expect(await rowsOf(bytes)).toHaveLength(count)
  const [name, at] = state.split('@') as [string, string]
  const input = { datasetId: name, format: 'parquet', at: Number(at) } as const
  const exported = await openReply(client, 'datasetExport', input)
  expect(sha256(new Uint8Array(await exported.arrayBuffer()))).toBe(digest)

  const manifest = await client.datasetSnapshot({ datasetId: state })
  expect(manifest).toMatchObject({ at: Number(at), rows: count, bytes: bytes.byteLength })
  expect(manifest.schema.map((field) => field.name)).toEqual(['word', 'number'])
  const { port } = new URL(server.url)
  expect(manifest.parts).toEqual([
    {
      url: `http://localhost:${port}${snapshotFile(state)}`,
      bytes: bytes.byteLength,
      sha256: digest,
      rows: count,
    },
  ])
})

test('items that come later are in later states alone', async () => {
  const own = await startOwn()
  await fillNumbered(own, 3)
  const digestOf = async (state: string) => {
    const blob = await own.client.datasetSnapshotFile({ datasetId: state })
    return sha256(new Uint8Array(await blob.arrayBuffer()))
  }
  const before = await digestOf('words@3')
  await addItem(own.client, 'words', { word: 'later' })
  expect(await digestOf('words@3')).toBe(before)
  expect(await digestOf('words@4')).not.toBe(before)
  await expect(digestOf('words@5')).rejects.toMatchObject({
    code: 'STATE_NOT_FOUND',
    body: { details: { totalItems: 4 } },
  })
})

test('a field that is added is in what is asked for from then on', async () => {
  const own = await startOwn()
  await fillNumbered(own, 3)
  const before = await own.client.datasetSnapshot({ datasetId: 'words@3' })
  const added = { name: 'note', type: 'string', optional: true }
  await own.client.repoExtend({
    datasetId: 'words',
    body: { name: 'words', schema: [...wordSchema, added] },
  })
  const after = await own.client.datasetSnapshot({ datasetId: 'words@3' })
  expect(after.schema.map(({ name }) => name)).toEqual(['word', 'number', 'note'])
  expect(after.parts[0]!.sha256).not.toBe(before.parts[0]!.sha256)
})

describe('ranges', () => {
  const path = snapshotFile('words@40')

  test('HEAD tells all but the bytes', async () => {
    const whole = await get(path)
    const size = (await whole.arrayBuffer()).byteLength
    const head = await get(path, {}, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(size))
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'))
    expect((await head.arrayBuffer()).byteLength).toBe(0)
  })

  test('a part is sent as it stands in the whole', async () => {
    const whole = Buffer.from(await (await get(path)).arrayBuffer())
    const size = whole.length
    for (const [range, start, end] of [
      ['bytes=0-3', 0, 3],
      ['bytes=-8', size - 8, size - 1],
      [`bytes=10-${size + 10}`, 10, size - 1],
      ['bytes=10-', 10, size - 1],
    ] as const) {
      const response = await get(path, { range })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
      const part = Buffer.from(await response.arrayBuffer())
      expect(part.equals(whole.subarray(start, end + 1))).toBe(true)
    }
    expect(whole.subarray(0, 4).toString()).toBe('PAR1')
    const beyond = await get(path, { range: `bytes=${size}-` })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${size}`)
    expect(await bodyOf(beyond)).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' })
    const several = await get(path, { range: 'bytes=0-1,4-5' })
    expect(several.status).toBe(200)
  })

  test('If-None-Match is answered with 304, and If-Range of another file with the whole file', async () => {
    const etag = (await get(path, {}, 'HEAD')).headers.get('etag')!
    const unchanged = await get(path, { 'if-none-match': `"x", ${etag}` })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers.get('etag')).toBe(etag)
    expect((await get(path, { 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get(path, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await get(path, { range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(200)
  })
})

test('an address without a state redirects to the current state, and refuses ranges', async () => {
  const { size } = await client.datasetState({ datasetId: 'sorted' })
  for (const method of ['GET', 'HEAD']) {
    const response = await get(snapshotFile('sorted'), {}, method)
    expect(response.status).toBe(307)
    expect(response.headers.get('location')).toBe(snapshotFile(`sorted@${size}`))
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  const followed = await client.datasetSnapshotFile({ datasetId: 'sorted' })
  expect(await rowsOf(await followed.arrayBuffer())).toHaveLength(5)
  expect(await client.datasetSnapshot({ datasetId: 'sorted' })).toMatchObject({ at: size, rows: 5 })
  const response = await get(snapshotFile('sorted'), { range: 'bytes=-8' })
  expect(response.status).toBe(400)
  expect(await bodyOf(response)).toMatchObject({
    code: 'QUERY_INVALID',
    details: { problems: [{ reason: expect.stringContaining(`sorted@${size}`) as string }] },
  })
})

test.each([
  ['words@41', 'STATE_NOT_FOUND'],
  ['nobody@1', 'DATASET_NOT_FOUND'],
  ['nobody', 'DATASET_NOT_FOUND'],
  ['words@x', 'DATASET_NOT_FOUND'],
  ['words@01', 'DATASET_NOT_FOUND'],
])('%s is 404 %s', async (state, code) => {
  for (const path of [snapshotFile(state), `/api/dataset/${state}/snapshot`]) {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await bodyOf(response)).toMatchObject({ code })
  }
})

test('with a token of the scope read as the password of Basic', async () => {
  const { token } = await client.tokenCreate({
    body: { name: 'notebook', scope: 'read', expiresAt: null },
  })
  const authorization = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`
  const response = await server.request(snapshotFile('words@40'), {
    token: null,
    headers: { authorization, range: 'bytes=-4' },
  })
  expect(await response.text()).toBe('PAR1')
})

test('a large one is in parts, whose rows follow each other', async () => {
  const own = await startOwn(
    {},
    { snapshotBounds: { ...bounds, partBytes: 1000, groupRows: 8192 } },
  )
  await fillNumbered(own, 30_000)
  const { parts, ...whole } = await own.client.datasetSnapshot({ datasetId: 'words@30000' })
  expect(parts.length).toBeGreaterThan(2)
  expect(whole.rows).toBe(30_000)
  const words: unknown[] = []
  for (const [part, { url, bytes, sha256: digest, rows }] of parts.entries()) {
    expect(new URL(url).pathname).toBe(`/api/dataset/words@30000/snapshot/${part}.parquet`)
    const input = { datasetId: 'words@30000', part }
    const file = await (await own.client.datasetSnapshotPart(input)).arrayBuffer()
    expect([file.byteLength, sha256(new Uint8Array(file))]).toEqual([bytes, digest])
    const read = await rowsOf(file)
    expect(read).toHaveLength(rows)
    words.push(...read.map(({ word }) => word))
  }
  expect(words).toEqual(Array.from({ length: 30_000 }, (_, number) => `w${number}`))
  expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(whole.bytes)

  const one = await own.request(snapshotFile('words@30000'))
  expect(one.status).toBe(409)
  expect(await bodyOf(one)).toMatchObject({
    code: 'SNAPSHOT_IN_PARTS',
    details: {
      manifest: expect.stringMatching(/\/api\/dataset\/words@30000\/snapshot$/) as string,
    },
  })
  const beyond = own.client.datasetSnapshotPart({ datasetId: 'words@30000', part: parts.length })
  await expect(beyond).rejects.toMatchObject({ code: 'SNAPSHOT_PART_NOT_FOUND' })
  await expect(
    own.client.datasetSnapshotPart({ datasetId: 'words', part: 0 }),
  ).rejects.toMatchObject({ code: 'QUERY_INVALID' })

  // The same state is written as the same bytes.
  await forgetReaders(own)
  await own.upkeep({ snapshots: { quietMs: 0, idleMs: 0 } })
  expect(await keptSnapshots(own)).toEqual([])
  expect((await own.client.datasetSnapshot({ datasetId: 'words@30000' })).parts).toEqual(parts)
})

test('Croissant of a state names its snapshot once that is made', async () => {
  type File = { '@id': string; contentUrl: string; contentSize: string; sha256: string }
  const describe = async (asked: { at?: number; to?: number }) => {
    const input = { datasetId: 'sorted', format: 'croissant', ...asked } as const
    const reply = await openReply(client, 'datasetExport', input)
    return ((await reply.json()) as { distribution: File[] }).distribution
  }
  expect(await describe({ at: 31 })).toHaveLength(1)
  const { bytes, parts } = await client.datasetSnapshot({ datasetId: 'sorted@31' })
  const [rows, file] = await describe({ at: 31 })
  expect(rows).toMatchObject({ '@id': 'sorted.ndjson' })
  expect(file).toEqual({
    '@type': 'cr:FileObject',
    '@id': 'sorted.parquet',
    name: 'sorted.parquet',
    contentUrl: parts[0]!.url,
    contentSize: `${bytes} B`,
    encodingFormat: 'application/vnd.apache.parquet',
    sha256: parts[0]!.sha256,
  })
  expect(await describe({ at: 31, to: 2 })).toHaveLength(1)
  expect(await describe({})).toHaveLength(1)
})
