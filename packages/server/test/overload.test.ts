import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { usualBounds } from '../src/http/shed-load.ts'
import { bodyOf } from './body-of.ts'
import { startIssuer } from './issuer.ts'
import { startTestServer } from './server.ts'

test('beyond its bounds the server refuses before it asks who it is', async () => {
  const busy = await startTestServer(
    {},
    { loadBounds: { ...usualBounds, inFlight: 1, lag: Infinity } },
  )
  const token = await busy.issuer.token()
  const stalled = request(`${busy.url}/api/repo`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': '10',
      expect: '100-continue',
    },
  })
  stalled.on('error', () => {})
  try {
    stalled.flushHeaders()
    // From here on it is the one that is answered, and whoever asks is the second.
    await once(stalled, 'continue')
    const response = await busy.request('/api/dataset', { token: null })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await bodyOf(response)).toMatchObject({ code: 'OVERLOADED' })
    expect((await busy.request('/healthz')).status).toBe(200)
  } finally {
    stalled.destroy()
    await busy.close()
  }
})

test('a token is answered with 503 while the keys of the provider cannot be fetched', async () => {
  // Never there while the server runs, which asks for the keys as it starts.
  const gone = await startIssuer()
  const token = await gone.token()
  await gone.close()
  const alone = await startTestServer({
    VITRINE_OIDC_AUTHORITY: gone.issuer,
    VITRINE_OIDC_CLIENT_ID: gone.clientId,
    VITRINE_OIDC_AUDIENCE: gone.audience,
  })
  const response = await alone.request('/api/dataset', { token })
  expect(response.status).toBe(503)
  expect(await bodyOf(response)).toEqual({
    code: 'PROVIDER_UNAVAILABLE',
    message: 'identity provider is unavailable',
  })
  await alone.close()
})
