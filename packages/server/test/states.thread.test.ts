// @module-tag engines

import { addItem, exportDataset, openReply, type Client } from '@vitrine/client'
import { exportFormatNames, stateHeader } from '@vitrine/contract'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let client: Client

beforeAll(async () => {
  server = await startTestServer()
  client = server.client
  await client.repoCreate({ body: { name: 'words', schema: [{ name: 'word', type: 'string' }] } })
  for (let index = 0; index < 40; index += 1) {
    await addItem(client, 'words', { word: `w${(index * 7) % 40}` })
  }
  await client.viewCreate({ body: { name: 'sorted', base: 'words', order: 'natural:word' } })
  await client.viewCreate({
    body: { name: 'top', base: 'words', order: '-natural:word', limit: 10 },
  })
})

afterAll(() => server.close())

const rows = async (datasetId: string, range: { at?: number; from?: number; to?: number }) => {
  const reply = await openReply(client, 'datasetExport', { datasetId, format: 'ndjson', ...range })
  const text = await reply.text()
  return { at: Number(reply.headers.get(stateHeader)), lines: text.split('\n').slice(0, -1) }
}

test.each(['words', 'sorted', 'top'])(
  'an export of %s goes on as it was begun',
  async (datasetId) => {
    const { at, lines } = await rows(datasetId, {})
    const state = await client.datasetState({ datasetId })
    expect(at).toBe(state.size)
    // They stand before and among what was there.
    for (const word of ['w', 'w1', 'w39', 'w400']) await addItem(client, 'words', { word })
    for (const from of [0, 1, 5, lines.length]) {
      expect(await rows(datasetId, { at, from })).toEqual({ at, lines: lines.slice(from) })
    }
    expect((await rows(datasetId, {})).lines).not.toEqual(lines)
  },
)

test.each(exportFormatNames)('a state is exported as %s, and named in the file', async (format) => {
  const input = { datasetId: 'top', format, at: 12 }
  const reply = await openReply(client, 'datasetExport', input)
  expect(reply.headers.get('content-disposition')).toContain('top@12.')
  const first = Buffer.from(await reply.arrayBuffer())
  await addItem(client, 'words', { word: 'w999' })
  const again = Buffer.from(await (await openReply(client, 'datasetExport', input)).arrayBuffer())
  if (format !== 'zip') expect(again.equals(first)).toBe(true)
  expect(again.length).toBe(first.length)
})

test('Croissant names files that stay what they are', async () => {
  const reply = await openReply(client, 'datasetExport', { datasetId: 'top', format: 'croissant' })
  const { distribution } = (await reply.json()) as {
    distribution: { contentUrl: string; sha256: string }[]
  }
  await addItem(client, 'words', { word: 'w9999' })
  const { contentUrl, sha256: said } = distribution[0]!
  const { pathname, search } = new URL(contentUrl)
  expect(search).toMatch(/&at=\d+$/)
  expect(sha256(await (await server.request(pathname + search)).text())).toBe(said)
})

test('an ordered export that is cut off resumes in its state, although items were added', async () => {
  const { lines } = await rows('sorted', {})
  const fetched = globalThis.fetch
  let cuts = 0
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    const reply = await fetched(...request)
    if (cuts > 0 || !reply.url.includes('/export')) return reply
    cuts += 1
    const bytes = new Uint8Array(await reply.arrayBuffer())
    await addItem(client, 'words', { word: 'a' })
    return new Response(cutInHalf(bytes), reply)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const pieces: Uint8Array[] = []
  for await (const piece of exportDataset(client, 'sorted', { format: 'ndjson' }))
    pieces.push(piece)
  expect(Buffer.concat(pieces).toString().split('\n').slice(0, -1)).toEqual(lines)
  expect(cuts).toBe(1)
  expect((await rows('sorted', {})).lines).not.toEqual(lines)
})

/** The first half of some bytes, and then an error. */
function cutInHalf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isSent = false
  return new ReadableStream({
    pull: (controller) => {
      if (isSent) controller.error(new TypeError('terminated'))
      else controller.enqueue(bytes.subarray(0, bytes.length / 2))
      isSent = true
    },
  })
}
