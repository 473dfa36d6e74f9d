import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
const datasetId = 'lines'
const rowCount = 20_000

beforeAll(async () => {
  server = await startTestServer()
  const line = { name: 'line', type: 'string', length: 1000 } as const
  await server.client.repoCreate({ body: { name: datasetId, schema: [line] } })
  const rows = Array.from({ length: rowCount }, (_, row) => `${row} ${'x'.repeat(500)}\n`)
  const body = `line\n${rows.join('')}`
  await server.client.importBegin({ datasetId, format: 'csv', body })
})

afterAll(() => server.close())

/** Begins to download, and reads no further than the headers. */
async function download(format: string): Promise<IncomingMessage> {
  const token = await server.issuer.token()
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const url = `${server.url}/api/dataset/${datasetId}/export?format=${format}`
  request(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, resolve)
    .on('error', reject)
    .end()
  return promise
}

test('A8: exports that nobody reads share a few threads, and keep none from one that is read', async () => {
  let threads = 0
  const count = () => (threads += 1)
  process.on('worker', count)
  const unread = await Promise.all(
    Array.from({ length: 60 }, (_, index) => download(['ndjson', 'csv', 'parquet'][index % 3]!)),
  )
  expect(unread.map(({ statusCode }) => statusCode)).toEqual(unread.map(() => 200))
  const read = await text(await download('ndjson'))
  expect(read.split('\n')).toHaveLength(rowCount + 1)
  expect(threads).toBeLessThanOrEqual(4)
  // Whoever reads on gets all of it.
  const [late] = unread
  expect(await text(late!)).toBe(read)
  for (const response of unread) response.destroy()
  process.off('worker', count)
})
