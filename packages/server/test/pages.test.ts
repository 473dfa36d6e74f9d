import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawRequest } from './raw-request.ts'
import { startTestServer, type TestServer } from './server.ts'

const webDir = mkdtempSync(join(tmpdir(), 'vitrine-web-'))
const script = 'console.log("a script that is long enough to be worth compressing")\n'.repeat(50)
let server: TestServer

beforeAll(async () => {
  mkdirSync(join(webDir, 'static/js'), { recursive: true })
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>app</title>')
  writeFileSync(join(webDir, '.built-from'), 'hidden')
  writeFileSync(join(webDir, 'static/js/main.0123.js'), script)
  writeFileSync(join(webDir, 'static/js/main.0123.js.br'), brotliCompressSync(script))
  writeFileSync(join(webDir, 'static/js/main.0123.js.gz'), gzipSync(script))
  server = await startTestServer({}, { webDir })
})

afterAll(async () => {
  await server.close()
  rmSync(webDir, { recursive: true })
})

const localhost = () => server.url.replace('127.0.0.1', 'localhost')
const visit = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(server.url, {
    path,
    headers: { accept: 'text/html,*/*', host: new URL(localhost()).host, ...headers },
  })

test.for([
  '/',
  '/dataset/',
  '/dataset/a.b',
  '/repo/x/additem',
  '/nowhere/at/all',
  '/?code=a&state=b',
])('a browser sent to %s gets the app', async (path) => {
  const { status, headers, body } = await visit(path)
  expect(status).toBe(200)
  expect(body).toContain('<title>app</title>')
  expect(headers['cache-control']).toBe('no-cache')
  expect(headers['content-type']).toContain('text/html')
  expect(headers.etag).toBeTruthy()
})

test("the app's pages run nothing but the app", async () => {
  const provider = new URL(server.issuer.issuer).origin
  const { headers } = await visit('/')
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).toContain(`connect-src 'self' ${provider} ${localhost()}`)
  expect(policy).toContain(`frame-src 'self' ${provider}`)
  expect(policy.join()).not.toContain('upgrade-insecure-requests')
})

test('no reply may be put in a frame of another site', async () => {
  for (const path of ['/static/js/gone.js', '/favicon.png', '/realms/none', '/clear-cache', '/x']) {
    const { headers } = await visit(path, { accept: '*/*' })
    expect([path, headers['content-security-policy']]).toEqual([path, "frame-ancestors 'self'"])
  }
})

test('an unknown path that is not asked for as a page is answered with 404', async () => {
  for (const path of ['/static/js/gone.js', '/favicon.png', '/dataset/x']) {
    const { status, body } = await visit(path, { accept: 'image/*' })
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ code: 'ROUTE_NOT_FOUND' })
  }
  expect((await visit('/static/js/gone.js')).status).toBe(404)
  expect((await visit('/.built-from', { accept: '*/*' })).status).toBe(404)
  expect((await visit('/static/../../package.json', { accept: '*/*' })).status).toBe(404)
  expect((await visit('/..%2f..%2fetc/passwd', { accept: '*/*' })).status).toBe(404)
})

test('hashed files are kept for ever and come compressed', async () => {
  const plain = await visit('/static/js/main.0123.js')
  expect(plain.body).toBe(script)
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const brotli = await visit('/static/js/main.0123.js', { 'accept-encoding': 'gzip, br' })
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotli.headers['content-type']).toContain('javascript')
  expect(brotli.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const gzip = await visit('/static/js/main.0123.js', { 'accept-encoding': 'gzip' })
  expect(gzip.headers['content-encoding']).toBe('gzip')
  const again = await visit('/static/js/main.0123.js', {
    'if-none-match': String(plain.headers.etag),
  })
  expect(again.status).toBe(304)
})

test('a page under another name of this machine is sent to the public one', async () => {
  const { port } = new URL(server.url)
  for (const name of ['127.0.0.1', '[::1]']) {
    const { status, headers } = await visit('/repo/?page=2', { host: `${name}:${port}` })
    expect(status).toBe(307)
    expect(headers.location).toBe(`${localhost()}/repo/?page=2`)
  }
  expect((await visit('/repo/', { host: 'example.org' })).status).toBe(200)
  expect((await visit('/repo/', { host: '127.0.0.1:1' })).status).toBe(200)
  expect((await server.request('/api/dataset')).status).toBe(200)
})

test('strict transport security is only for https', async () => {
  expect((await visit('/')).headers['strict-transport-security']).toBe(undefined)
  const other = await startTestServer(
    { VITRINE_PUBLIC_URL: 'https://data.example.org/' },
    { webDir },
  )
  try {
    const { headers } = await rawRequest(other.url, { path: '/', headers: { accept: 'text/html' } })
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
    expect(headers['content-security-policy']).toContain('https://data.example.org')
  } finally {
    await other.close()
  }
})

test('a server whose web app is not built says so', async () => {
  const other = await startTestServer({}, { webDir: join(webDir, 'nowhere') })
  try {
    const { status, body } = await rawRequest(other.url, {
      path: '/',
      headers: { accept: 'text/html', host: 'example.org' },
    })
    expect(status).toBe(503)
    expect(body).toContain('npm run build')
  } finally {
    await other.close()
  }
})
