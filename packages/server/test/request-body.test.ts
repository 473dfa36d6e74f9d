import { limits } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({
    body: { name: 'secret', schema: [{ name: 'title', type: 'string' }] },
  })
})

afterAll(() => server.close())

const post = (body: string, headers: Record<string, string> = {}) =>
  server.request('/api/repo', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

test.for([
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"name":"a"}',
  '{"name":"a","schema":[]}',
  '{"name":"a","schema":[{"name":"b","type":"string"}],"id":7}',
  '{"name":"a","schema":[{"name":"b","type":"string"}],"createdAt":"2020"}',
  '{"name":"a","schema":[{"name":"b","type":"string"}],"__proto__":{"x":1}}',
  '{"name":"a","schema":[{"name":"b","type":"string"}],"constructor":{"prototype":{}}}',
  '{"name":"a","schema":[{"name":"__proto__","type":"string"}]}',
  '{"name":"a","schema":[{"name":"b","type":"string"},{"name":"b","type":"string"}]}',
  '{"name":"a","schema":[{"name":"b","type":"strin"}]}',
  '{"name":"a","schema":[{"name":"b","type":"reference","target":"secrets"}]}',
])('%s is refused', async (body) => {
  const response = await post(body)
  expect(response.status).toBe(400)
  const { code, message, details } = await bodyOf(response)
  expect({ code, message }).toEqual({
    code: 'REQUEST_INVALID',
    message: 'got incorrect data in request',
  })
  expect(details?.problems?.[0]?.reason).toBeTruthy()
  expect(await server.client.repoList({})).toHaveLength(1)
})

test('the nearest name is offered', async () => {
  const response = await post(
    '{"name":"a","schema":[{"name":"b","type":"reference","target":"secrets"}]}',
  )
  expect((await bodyOf(response)).details?.problems).toEqual([
    {
      path: ['schema', 0, 'target'],
      reason: 'unknown dataset "secrets"; did you mean "secret"?',
      nearest: 'secret',
    },
  ])
})

test('bytes that are not UTF-8 are refused', async () => {
  const response = await server.request('/api/repo', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Uint8Array([0x22, 0xff, 0x22]),
  })
  expect(await bodyOf(response)).toMatchObject({ code: 'REQUEST_INVALID' })
})

test.for([
  ['text/plain', '{}'],
  ['application/jsonx', '{}'],
  ['application/json\t', ''],
  ['multipart/form-data; boundary=x', '--x--'],
  ['application/x-www-form-urlencoded', 'name=a'],
])('%s is refused', async ([type, body]) => {
  const response = await post(body!, { 'content-type': type! })
  expect(response.status).toBe(type === 'application/json\t' ? 400 : 415)
})

test('no content type is refused', async () => {
  const response = await server.request('/api/repo', {
    method: 'POST',
    body: new Blob(['{"name":"a"}']),
  })
  expect(await bodyOf(response)).toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED' })
})

test('a charset beside the type is taken', async () => {
  const response = await post('{}', { 'content-type': 'Application/JSON; charset=utf-8' })
  expect(response.status).toBe(400)
})

test('a content encoding is refused', async () => {
  const response = await post('{}', { 'content-encoding': 'gzip' })
  expect(await bodyOf(response)).toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED' })
})

test.for([limits.repoDescriptionBytes + 1, 20_000_000])('%i bytes are refused', async (size) => {
  const response = await post(JSON.stringify({ name: 'a'.repeat(size) }))
  expect(response.status).toBe(413)
  expect(await bodyOf(response)).toMatchObject({ code: 'CONTENT_TOO_LARGE' })
})

test('a body of unknown length is refused at the byte', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += 1
      controller.enqueue(new Uint8Array(16 * 1024))
    },
  })
  const response = await server.request('/api/repo', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: endless,
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(413)
  expect(sent).toBeLessThan(10_000)
})

test.for([33, 20_000])('%i levels are refused', async (levels) => {
  const response = await post('['.repeat(levels) + ']'.repeat(levels))
  expect(await bodyOf(response)).toMatchObject({
    code: 'REQUEST_INVALID',
    details: { problems: [{ reason: 'nests more than 32 levels' }] },
  })
})

test('a body that does not come to its end in time is refused', async () => {
  const hurried = await startTestServer({}, { jsonBodyMs: 200 })
  const response = await hurried.request('/api/repo', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{')) }),
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(408)
  expect(response.headers.get('connection')).toBe('close')
  expect(await bodyOf(response)).toEqual({ code: 'REQUEST_TIMEOUT', message: 'Request Timeout' })
  await hurried.close()
})
