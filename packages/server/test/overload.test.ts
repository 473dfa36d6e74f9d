import { expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { rawRequest } from './raw-request.ts'
import { startTestServer } from './server.ts'

test('beyond its bounds the server refuses before it asks who it is', async () => {
  const busy = await startTestServer({}, { loadBounds: { inFlight: 1, lag: Infinity } })
  const stop = new AbortController()
  const token = await busy.issuer.token()
  const stalled = rawRequest(busy.url, {
    path: '/api/repo',
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': '10',
    },
    signal: stop.signal,
  }).catch(() => undefined)
  try {
    const refused = async () => busy.request('/api/dataset', { token: null })
    await expect.poll(async () => (await refused()).status, { timeout: 30_000 }).toBe(503)
    const response = await refused()
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await bodyOf(response)).toMatchObject({ code: 'OVERLOADED' })
    expect((await busy.request('/healthz')).status).toBe(200)
  } finally {
    stop.abort()
    await stalled
    await busy.close()
  }
})

test('without the keys of the provider nobody is known', async () => {
  const alone = await startTestServer()
  alone.issuer.up = false
  const response = await alone.request('/api/dataset')
  expect(response.status).toBe(503)
  expect(await bodyOf(response)).toEqual({
    code: 'PROVIDER_UNAVAILABLE',
    message: 'identity provider is unavailable',
  })
  await alone.close()
})
