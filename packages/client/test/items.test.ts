import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addItem, createClient, type Client } from '../src/index.ts'
import { openBadLine, type BadLine } from './bad-line.ts'
import { startOwnServer, type Server } from './server.ts'

let server: Server
let line: BadLine
let client: Client

beforeAll(async () => {
  server = await startOwnServer()
  line = await openBadLine(server.url)
  client = createClient({ baseUrl: line.url, token: () => server.token })
  const schema = [{ name: 'text', type: 'string' }]
  await client.repoCreate({ body: { name: 'notes', schema } })
  await client.repoCreate({ body: { name: 'empty', schema } })
  for (const text of ['a', 'b', 'c', 'd', 'e']) await addItem(client, 'notes', { text })
})
afterAll(async () => {
  await line.close()
  await server.close()
})

const textsOf = async (datasetId: string, pageSize?: number) => {
  line.requests.length = 0
  return Array.fromAsync(client.items(datasetId, { pageSize }), ({ data }) => data['text'])
}

test.for([1, 2, 3, 5, 6, undefined])('every item comes once, in pages of %j', async (pageSize) => {
  expect(await textsOf('notes', pageSize)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(line.requests).toHaveLength(Math.floor(5 / (pageSize ?? 1000)) + 1)
})

test('a dataset without items has none', async () => {
  expect(await textsOf('empty')).toEqual([])
})

test('the next page is asked for when the last is used up', async () => {
  line.requests.length = 0
  for await (const { data } of client.items('notes', { pageSize: 2 })) {
    if (data['text'] === 'b') break
  }
  expect(line.requests).toHaveLength(1)
})

test('items added during a listing come at the end', async () => {
  await client.repoCreate({
    body: { name: 'growing', schema: [{ name: 'text', type: 'string' }] },
  })
  await addItem(client, 'growing', { text: '0' })
  const seen = []
  for await (const { data } of client.items('growing', { pageSize: 1 })) {
    seen.push(data['text'])
    if (seen.length < 4) await addItem(client, 'growing', { text: String(seen.length) })
  }
  expect(seen).toEqual(['0', '1', '2', '3'])
})

test('a dataset that is not there is told of', async () => {
  await expect(textsOf('nothing')).rejects.toThrow('dataset or item not found')
})

test('it can be aborted', async () => {
  const stop = new AbortController()
  const reading = async () => {
    for await (const _item of client.items('notes', { pageSize: 1, signal: stop.signal })) {
      stop.abort()
    }
  }
  await expect(reading()).rejects.toThrow('Request aborted')
})

test('a short page of a view that is still being looked at is not the end', async () => {
  const pages = [[1], [1, 2]]
  const catchingUp = createServer((_request, reply) => {
    const ids = pages.shift() ?? [1, 2]
    reply.writeHead(200, {
      'content-type': 'application/json',
      ...(pages.length > 0 && { 'vitrine-scanned': '10/20' }),
    })
    reply.end(JSON.stringify(ids.map((id) => ({ id, data: {} }))))
  })
  await new Promise<void>((resolve) => catchingUp.listen(0, '127.0.0.1', resolve))
  const { port } = catchingUp.address() as { port: number }
  const other = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => 'token' })
  const ids = await Array.fromAsync(other.items('view', { pageSize: 3 }), ({ id }) => id)
  expect(ids).toEqual([1, 2])
  catchingUp.closeAllConnections()
  catchingUp.close()
})
