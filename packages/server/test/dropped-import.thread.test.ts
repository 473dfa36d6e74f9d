import { request } from 'node:http'
import { importFile, type ApiError } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'
import { untilDone } from './until.ts'

const datasetId = 'notes'
const importKey = 'dropped'
const rowCount = 20_000
const rows = Array.from({ length: rowCount }, (_, row) => `{"title":"row ${row}"}\n`).join('')

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const schema = [{ name: 'title', type: 'string', length: 20 }]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
})

afterAll(() => server.close())

/** Sends some bytes of a body that is said to be so long, and then drops the connection. */
async function drop(
  path: string,
  body: string,
  { said, untilTaken }: { said: number; untilTaken?: () => Promise<void> },
): Promise<void> {
  const token = await server.issuer.token()
  const headers = { authorization: `Bearer ${token}`, 'content-length': said }
  const sent = request(`${server.url}${path}`, { method: 'POST', headers, agent: false })
  sent.on('error', () => {})
  const closed = new Promise((resolve) => sent.on('close', resolve))
  const written = Promise.withResolvers<void>()
  sent.write(body, () => written.resolve())
  await written.promise
  await untilTaken?.()
  sent.destroy()
  await closed
}

const count = async () => (await server.client.datasetCount({ datasetId })).totalItems
/** Waits for it to be there: the request may still be under way. */
const stateOf = (key = importKey) =>
  untilDone(
    () => server.client.importGet({ datasetId, importKey: key }),
    (error) => (error as ApiError).status === 404,
  )
const titleOf = (line: string) => (JSON.parse(line) as { title: string }).title
const path = `/api/repo/${datasetId}/import`

test('an import whose connection is dropped is not begun on, and goes on where it was', async () => {
  const third = Math.floor(rows.length / 3)
  await drop(`${path}?format=ndjson&key=${importKey}`, rows.slice(0, third), { said: rows.length })
  const { receivedBytes: offset } = await stateOf()
  const rest = `${path}/${importKey}?offset=${offset}&complete=true`
  await drop(rest, rows.slice(offset, -third), { said: 1e6 })
  // What came ends within a row, which must not be taken for the last one.
  expect(await stateOf()).toMatchObject({ state: 'receiving', rows: 0 })
  expect(await count()).toBe(0)

  const options = { format: 'ndjson', key: importKey } as const
  const state = await importFile(server.client, datasetId, new Blob([rows]), options)
  expect(state).toMatchObject({ state: 'done', publishedRows: rowCount, refusedRows: 0 })
  const exported = await server.request(`/api/dataset/${datasetId}/export?format=ndjson`)
  const titles = (await exported.text()).trimEnd().split('\n').map(titleOf)
  expect(titles).toEqual(rows.trimEnd().split('\n').map(titleOf))
})

test('an import whose reply is dropped is done once, and sending it again says so', async () => {
  const before = await count()
  const state = async () => (await stateOf('unheard')).state
  await drop(`${path}?format=ndjson&key=unheard`, rows, {
    said: rows.length,
    // Of a body that it has not read yet, a server gets no more once its connection is gone.
    untilTaken: () => expect.poll(state).not.toBe('receiving'),
  })
  await expect.poll(state).toBe('done')
  const again = await server.client.importBegin({
    datasetId,
    format: 'ndjson',
    key: 'unheard',
    body: rows,
  })
  expect(again).toMatchObject({ state: 'done', publishedRows: rowCount })
  expect(await count()).toBe(before + rowCount)
})

test('one that nobody goes on with leaves nothing', async () => {
  const before = await count()
  await drop(`${path}?format=csv&key=left`, 'title\nrow', { said: 100 })
  expect((await stateOf('left')).receivedBytes).toBeLessThan(10)
  await server.upkeep({ imports: { idleMs: 0, keptMs: 3_600_000 } })
  expect((await stateOf('left')).state).toBe('cancelled')
  expect(await count()).toBe(before)
})
