// @module-tag whole

import { readdirSync, readlinkSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenEngines } from './engines.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'

let server: TestServer
const datasetId = 'lines'
const rowCount = 20_000
const exportCount = times('UNREAD_EXPORTS', { first: 12, whole: 60 })

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
async function download(format: string, dataset = datasetId): Promise<IncomingMessage> {
  const token = await server.issuer.token()
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const url = `${server.url}/api/dataset/${dataset}/export?format=${format}`
  request(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, resolve)
    .on('error', reject)
    .end()
  return promise
}

test('exports that nobody reads share a few threads, and keep none from one that is read', async () => {
  let threads = 0
  const count = () => (threads += 1)
  process.on('worker', count)
  const unread = await Promise.all(
    Array.from({ length: exportCount }, (_, index) =>
      download(['ndjson', 'csv', 'parquet'][index % 3]!),
    ),
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

test.skipIf(process.platform !== 'linux' || chosenEngines.blobs === 's3')(
  'an archive that its reader leaves keeps no file open',
  async () => {
    const image = { name: 'image', type: 'binary', mime: 'application/octet-stream' } as const
    await server.client.repoCreate({ body: { name: 'images', schema: [image] } })
    const value = new Blob([new Uint8Array(64 * 1024 ** 2)])
    await addItem(server.client, 'images', { image: value })
    const open = () => openFiles().filter((path) => path.startsWith(`${server.dataDir}/blobs`))
    const leaks: Error[] = []
    const note = (warning: Error & { code?: string }) => {
      if (warning.code === 'DEP0137') leaks.push(warning)
    }
    process.on('warning', note)
    const response = await download('zip', 'images')
    await expect.poll(open, { timeout: 30_000 }).toHaveLength(1)
    response.destroy()
    await expect.poll(open, { timeout: 30_000 }).toEqual([])
    // Otherwise the garbage collector closes it some time (https://nodejs.org/api/deprecations.html#DEP0137).
    expect(leaks).toEqual([])
    process.off('warning', note)
  },
)

/** Lists the files that this process has open (proc(5), /proc/pid/fd). */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      // That of the folder itself is closed again.
      return []
    }
  })
}
