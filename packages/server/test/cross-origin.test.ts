import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

// Pages of other sites read what they are given a signed link for, and nothing else.

let server: TestServer
let link: string

beforeAll(async () => {
  server = await startTestServer({})
  const schema = [{ name: 'name', type: 'string', length: 20 }]
  await server.client.repoCreate({ body: { name: 'people', schema } })
  await addItem(server.client, 'people', { name: 'Ada' })
  const body = { name: 'notebook', hours: 1 }
  ;({ link } = await server.client.linkCreate({ datasetId: 'people', body }))
})
afterAll(() => server.close())

const snapshot = '/api/dataset/people@1/snapshot.parquet'
const page = 'https://notebook.example'

function ask(path: string, init: RequestInit & { token?: string | null } = {}) {
  const headers = { origin: page, ...(init.headers as Record<string, string> | undefined) }
  return server.request(path, { token: null, ...init, headers })
}

/** Headers that say what other sites may read. */
const grants = ({ headers }: Response) =>
  [...headers].filter(([name]) => name.startsWith('access-control-'))

test.each([
  ['a whole file', snapshot, {}, 200],
  ['a range', snapshot, { range: 'bytes=-8' }, 206],
  ['items', '/api/dataset/people/item', {}, 200],
])('%s is read by a link', async (_what, path, headers, status) => {
  for (const method of ['GET', 'HEAD']) {
    const reply = await ask(`${path}?link=${link}`, { method, headers })
    await reply.body?.cancel()
    expect(reply.status).toBe(status)
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-expose-headers')).toContain('content-range')
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
  }
})

test('a page is told why a link is refused', async () => {
  const reply = await ask(`${snapshot}?link=vtl_${'x'.repeat(49)}`)
  expect(await reply.json()).toMatchObject({ code: 'LINK_INVALID' })
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
})

test('a page may ask for ranges, and send nothing else', async () => {
  const headers = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'range',
  }
  const reply = await ask(`${snapshot}?link=${link}`, { method: 'OPTIONS', headers })
  expect(reply.status).toBe(204)
  expect(Object.fromEntries(grants(reply))).toEqual({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'range, if-range, if-none-match',
    'access-control-max-age': '86400',
  })
})

test.each([
  ['by a token', () => ask(snapshot, { token: undefined })],
  ['by nothing', () => ask(snapshot)],
  ['by a link where the call takes none', () => ask(`/api/dataset/people/author/1?link=${link}`)],
  ['to add items', () => ask(`/api/repo/people/item?link=${link}`, { method: 'POST' })],
  ['before a request by a token', () => ask(snapshot, { method: 'OPTIONS' })],
  ['before a change', () => ask(`/api/repo/people/item?link=${link}`, { method: 'OPTIONS' })],
  ['where no call is', () => ask(`/api/nothing?link=${link}`, { method: 'OPTIONS' })],
  ['of pages', () => ask(`/dataset/people?link=${link}`)],
])('other sites read nothing %s', async (_what, request) => {
  const reply = await request()
  await reply.body?.cancel()
  expect(grants(reply)).toEqual([])
})
