import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Validator } from '@seriousme/openapi-schema-validator'
import { api, errors, exportFormats, runtimeConfig } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

/** Sends a head to the letter; what comes back until the connection is closed. */
async function fetchRaw(url: string, lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  return text(socket)
}

const open = (path: string) => server.request(path, { token: null })

test('health and readiness are told to whoever asks', async () => {
  expect(await (await open('/healthz')).json()).toEqual({ status: 'ok' })
  expect(await (await open('/readyz')).json()).toEqual({
    status: 'ready',
    database: 'up',
    blobs: 'up',
    provider: 'up',
  })
})

test('a browser is told to drop what it has in its cache', async () => {
  const reply = await server.request('/clear-cache', { token: null, method: 'POST' })
  expect([reply.status, reply.headers.get('clear-site-data')]).toEqual([204, '"cache"'])
  // A link or a picture of another site does not.
  const read = await open('/clear-cache')
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
  expect(read.headers.get('clear-site-data')).toBeNull()
})

test.for([
  ['of a proxy is used and sent back', '7f1c5a52-3f6c-4a35-9d5e-2c1b6e0f9a11', true],
  ['of a tracer is, too', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
  ['of another form is not', 'two words', false],
  ['with markup is not', '<script>', false],
  ['that is too long is not', 'x'.repeat(129), false],
] as const)('a request id %s', async ([, id, isUsed]) => {
  const response = await server.request('/healthz', { headers: { 'x-request-id': id } })
  const used = response.headers.get('x-request-id')
  if (isUsed) expect(used).toBe(id)
  else expect(used).toMatch(/^[0-9a-f-]{36}$/)
})

test('the web app is told where to go', async () => {
  const response = await open('/config.json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(runtimeConfig.parse(await response.json())).toEqual({
    apiBaseUrl: server.url.replace('127.0.0.1', 'localhost'),
    authority: server.issuer.issuer,
    clientId: server.issuer.clientId,
    scope: 'openid profile',
    maxUploadBytes: 10 * 1024 ** 3,
    features: [
      'preview',
      'explore',
      'partial',
      'import',
      'export',
      'guarded-delete',
      'damage',
      'types',
      'extend',
      'search',
      'labels',
      'summary',
      'q',
      'q-labels',
      'export-explored',
      'growth',
      'neighbours',
      'media',
      'log',
      'authors',
      'states',
      'diff',
      'corrections',
      'current',
      'import-match',
      'import-corrections',
      'tokens',
      'links',
      'add-item',
      'add-items',
      'audit',
      'audit-log',
      'deleted',
      'bundles',
      'export-xlsx',
      'export-arrow',
      'snapshots',
      'origins',
      'small-pictures',
      'cut',
      'item-search',
    ],
  })
})

test('features of which this version knows nothing are left out of what it reads', async () => {
  const config = (await (await open('/config.json')).json()) as object
  const features = ['explore', 'holograms', 'labels']
  expect(runtimeConfig.parse({ ...config, features }).features).toEqual(['explore', 'labels'])
  expect(runtimeConfig.parse({ ...config, features: undefined }).features).toEqual([])
})

test('/proxyz lists the names of headers that a proxy passes on, without values', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1', cookie: 'secret=1', 'x-other': 'x' }
  const answered = await server.request('/proxyz', { headers })
  expect(await answered.text()).toBe('{"headers":["authorization","x-forwarded-for"]}')
})

test('requests are counted by call and status, whatever they name', async () => {
  await server.client.datasetList({})
  await server.request('/api/dataset/very-secret-name')
  const response = await open('/metrics')
  expect(response.headers.get('content-type')).toContain('text/plain')
  const text = await response.text()
  expect(text).toMatch(
    /vitrine_http_request_duration_seconds_count\{call="datasetList",status="200"\} 1\n/,
  )
  expect(text).toContain('{call="datasetGet",status="404"} 1')
  expect(text).toContain('vitrine_items_committed 0')
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toContain('very-secret-name')
})

test('the OpenAPI document is valid and has every call', async () => {
  const document = (await (await open('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const result = await new Validator().validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(operations.toSorted()).toEqual(Object.keys(api).toSorted())
})

test('the OpenAPI document says what bytes are sent, and every success', async () => {
  type Content = Record<string, { schema: unknown }>
  type Operation = {
    operationId: string
    parameters: { name: string; schema: { pattern?: string } }[]
    requestBody?: { content: Content }
    responses: Record<string, { content?: Content }>
  }
  const document = (await (await open('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = new Map(
    Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .map((operation) => [operation.operationId, operation]),
  )
  const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  for (const name of ['importBegin', 'importAppend', 'insertFieldUpload']) {
    expect(operations.get(name)!.requestBody!.content).toEqual(bytes)
  }
  for (const name of ['repoCreate', 'viewCreate', 'importBegin']) {
    const { responses } = operations.get(name)!
    expect(responses['200']!.content).toEqual(responses['201']!.content)
  }
  expect(Object.keys(operations.get('datasetPictureGet')!.responses['200']!.content!)).toEqual([
    'image/webp',
  ])
  const { parameters, responses } = operations.get('datasetExport')!
  expect(Object.keys(responses['200']!.content!)).toEqual([
    'application/x-ndjson',
    'text/csv',
    'text/tab-separated-values',
    'application/vnd.apache.parquet',
    exportFormats.arrow.mediaType,
    exportFormats.xlsx.mediaType,
    'application/zip',
    'application/ld+json',
  ])
  expect(parameters.find(({ name }) => name === 'from')!.schema).toMatchObject({
    pattern: '^(?:0|[1-9][0-9]{0,15})$',
  })
})

test('a request address that is too long is refused with 431 and its limit', async () => {
  const columns = Object.fromEntries(
    Array.from({ length: 4999 }, (_, index) => [`column ${index}`, null]),
  )
  const query = new URLSearchParams({ format: 'csv', columns: JSON.stringify(columns) })
  const response = await server.request(`/api/repo/any/import?${query.toString()}`, {
    method: 'POST',
  })
  expect(response.status).toBe(431)
  expect(await bodyOf(response)).toMatchObject({
    code: 'HEADERS_TOO_LARGE',
    details: {
      problems: [{ reason: expect.stringContaining('may have 16 KiB together') as string }],
    },
  })
})

test('the reference runs under a policy of its own', async () => {
  const page = await open('/api/docs/')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  const html = await page.text()
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
  for (const [, source] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const response = await open(new URL(source!, `${server.url}/api/docs/`).pathname)
    expect(response.status).toBe(200)
  }
})

test('data that is opened as a page runs nothing and is in no frame', async () => {
  for (const path of [
    '/api/dataset',
    '/api/nothing',
    '/config.json',
    '/healthz',
    '/readyz',
    '/metrics',
  ]) {
    const { headers } = await server.request(path)
    expect([path, headers.get('content-security-policy')]).toEqual([
      path,
      "default-src 'none'; frame-ancestors 'none'",
    ])
  }
})

test('a request for two hosts is refused', async () => {
  const { hostname, port } = new URL(server.url)
  const sent = await fetchRaw(server.url, [
    'GET /config.json HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'host: other.example.org',
    'Connection: close',
  ])
  expect(sent).toMatch(/^HTTP\/1\.1 400 /)
  expect(sent).toContain('"code":"REQUEST_INVALID"')
  expect(sent).toContain('must be one')
})

test.for([
  [['Content-Length: 5', 'Transfer-Encoding: chunked']],
  [['Content-Length: 5', 'Content-Length: 6']],
  [['Transfer-Encoding: chunked, identity']],
  [['Transfer-Encoding: xchunked']],
])(
  'a request that says in two ways where it ends, as %j, is one, and refused',
  async ([headers]) => {
    const host = `Host: ${new URL(server.url).host}`
    const body = ['', '0', '', 'GET /healthz HTTP/1.1', host]
    const sent = await fetchRaw(server.url, ['POST /api/repo HTTP/1.1', host, ...headers!, ...body])
    expect(sent.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  },
)

test('docs/errors.md is the catalogue, both ways', () => {
  const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const documented = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, code, status, message]) => [
      code!.replaceAll('`', ''),
      { status: Number(status), message },
    ])
  expect(Object.fromEntries(documented)).toEqual(errors)
})
