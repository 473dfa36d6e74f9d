import { api, limits, type Call } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { rawRequest } from './raw-request.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({
    body: { name: 'secret', schema: [{ name: 'title', type: 'string' }] },
  })
})

afterAll(() => server.close())

describe('no spelling of an address goes around the check of the token', () => {
  test.for([
    '/api',
    '/api/',
    '/api/dataset',
    '/api/dataset/',
    '/api/dataset/secret',
    '/api//dataset',
    '/api/./dataset',
    '/api/x/../dataset',
    '/api/%64ataset',
    '/api/dataset%2fsecret',
    '/api/dataset;a=b',
    '/api/nothing/here',
    '/api/docs/../dataset/secret',
    '/api/docs/nope',
    '/api/openapi.json/',
    '/api/openapi.json/../dataset',
    '/api/%zz',
    '/api/dataset/%E0%A4%A',
  ])('%s', async (path) => {
    const reply = await rawRequest(server.url, { path })
    expect(reply.status).toBe(401)
    expect(JSON.parse(reply.body)).toEqual({ code: 'TOKEN_MISSING', message: 'Unauthorized' })
  })

  test.for([
    '//api/dataset/secret',
    '/API/dataset/secret',
    '/Api/dataset/secret',
    '/%61pi/dataset/secret%20',
    '/api%2fdataset%2fsecret',
    '/x/../api/dataset/secret',
    '/./api/dataset/secret',
    '\\api\\dataset\\secret',
    '/api\\dataset',
  ])('%s', async (path) => {
    const reply = await rawRequest(server.url, { path })
    expect([400, 401, 404]).toContain(reply.status)
    expect(reply.body).not.toContain('title')
  })

  test('an address in absolute form', async () => {
    const reply = await rawRequest(server.url, { path: `${server.url}/api/dataset/secret` })
    expect([401, 404]).toContain(reply.status)
  })

  test.for(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'QUERY', 'LOCK'])(
    'with the method %s',
    async (method) => {
      const reply = await rawRequest(server.url, { path: '/api/dataset', method })
      expect(reply.status).toBe(401)
    },
  )
})

describe('a refusal for the token', () => {
  test('says how to sign in, without a code where no token was sent', async () => {
    const response = await server.request('/api/dataset', { token: null })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="vitrine"')
  })

  test('says what is wrong with the token', async () => {
    const response = await server.request('/api/dataset', { token: 'x.y.z' })
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await bodyOf(response)).toEqual({ code: 'TOKEN_INVALID', message: 'Unauthorized' })
  })

  test('tells of expiry', async () => {
    const token = await server.issuer.token({ exp: Math.floor(Date.now() / 1000) - 3600 })
    const response = await server.request('/api/dataset', { token })
    expect(await bodyOf(response)).toMatchObject({ code: 'TOKEN_EXPIRED' })
  })

  test('comes before the body is read', async () => {
    // Nothing of the body is ever sent, and the reply comes all the same.
    const reply = await rawRequest(server.url, {
      path: '/api/repo',
      method: 'POST',
      headers: { 'content-length': '100000000', 'content-type': 'application/json' },
    })
    expect(reply.status).toBe(401)
  })
})

describe('unknown addresses and methods', () => {
  test('an unknown address', async () => {
    const response = await server.request('/api/datasets')
    expect(response.status).toBe(404)
    expect(await bodyOf(response)).toEqual({ code: 'ROUTE_NOT_FOUND', message: 'Not Found' })
  })

  test('another method on a known address', async () => {
    const response = await server.request('/api/repo', { method: 'PUT', body: '{}' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
    expect(await bodyOf(response)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  })

  test('a method that a route does not have is refused with 405 and Allow', async () => {
    const methodsByPath = Map.groupBy(Object.values<Call>(api), ({ path }) => path)
    for (const [path, calls] of methodsByPath) {
      const allowed = calls.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      const address = path.replaceAll(/\{[^}]+\}/g, '1')
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        if (allowed.includes(method)) continue
        const { status, headers } = await server.request(address, { method })
        expect([method, path, status]).toEqual([method, path, 405])
        expect(headers.get('allow')).toBe(allowed.join(', '))
      }
    }
  })

  test.for(['TRACE', 'OPTIONS', 'PROPFIND'])('%s', async (method) => {
    const token = await server.issuer.token()
    const headers = { authorization: `Bearer ${token}` }
    const reply = await rawRequest(server.url, { path: '/api/dataset', method, headers })
    expect(reply.status).toBe(405)
    expect(reply.body).not.toContain(token)
  })

  test('HEAD is GET without a body', async () => {
    const get = await server.request('/api/dataset/secret')
    const head = await server.request('/api/dataset/secret', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
  })
})

describe('a query', () => {
  test.for([
    'page=-1',
    'page=1.5',
    'page=01',
    'page=x',
    'page=',
    'page=1e3',
    'page=99999999999999999999',
    'page=NaN',
    'page=0&page=1',
    'page=0&page=0',
    'pageSize=0',
    `pageSize=${limits.pageSizeMax + 1}`,
    'pageSize=20&pageSize=20',
    'page=0&size=20',
    '__proto__=1',
    'page[]=1',
  ])('%s is refused', async (query) => {
    for (const path of ['/api/dataset', '/api/repo', '/api/view', '/api/dataset/secret/item']) {
      const response = await server.request(`${path}?${query}`)
      expect(response.status).toBe(400)
      const { code, details } = await bodyOf(response)
      expect(code).toBe('QUERY_INVALID')
      expect(details?.problems?.[0]?.reason).toBeTruthy()
    }
  })

  test('an unknown parameter of a call without a query is refused', async () => {
    const response = await server.request('/api/dataset/secret?page=0')
    expect(await bodyOf(response)).toMatchObject({
      code: 'QUERY_INVALID',
      details: { problems: [{ path: ['page'] }] },
    })
  })

  test('the highest page there can be is empty', async () => {
    const query = `page=${limits.pageMax}&pageSize=${limits.pageSizeMax}`
    for (const path of ['/api/dataset', '/api/repo', '/api/view', '/api/dataset/secret/item']) {
      const response = await server.request(`${path}?${query}`)
      expect(await response.json()).toEqual([])
    }
  })
})

describe('every reply', () => {
  test('carries a request id of ours and the security headers', async () => {
    const response = await server.request('/api/dataset', { headers: { 'x-request-id': 'no id' } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('strict-transport-security')).toBe(null)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })

  test('to what is no HTTP is in the same shape', async () => {
    const reply = await rawRequest(server.url, {
      path: '/api/dataset',
      headers: { 'x-much': 'a'.repeat(40_000) },
    })
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'HEADERS_TOO_LARGE' })
  })
})
