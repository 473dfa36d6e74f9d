import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { admin, type LocalServer, startLocalServer } from './local-server.ts'
import type { Visitor } from './sign-in.ts'

let server: LocalServer
let visitor: Visitor

beforeAll(async () => {
  server = await startLocalServer()
})
afterAll(() => server.close())
beforeEach(() => {
  visitor = server.visitor()
})

const mutations: [string, (url: URL) => string][] = [
  ['without its slash', ({ origin }) => origin],
  ['with another path', ({ origin }) => `${origin}/else`],
  ['with another slash', ({ origin }) => `${origin}//`],
  ['with dots', ({ origin }) => `${origin}/.`],
  ['climbing', ({ origin }) => `${origin}/a/..`],
  ['with a query', ({ origin }) => `${origin}/?next=1`],
  ['with an empty query', ({ origin }) => `${origin}/?`],
  ['with a fragment', ({ origin }) => `${origin}/#x`],
  ['with a user', ({ host }) => `http://user@${host}/`],
  ['with our host as the user', ({ host }) => `http://${host}@evil.test/`],
  ['with a default port as the user', () => 'http://localhost:80@evil.test/'],
  ['with our host as a subdomain', ({ host }) => `http://${host}.evil.test/`],
  ['with a longer host', ({ port }) => `http://localhost.evil.test:${port}/`],
  ['with another loopback', ({ port }) => `http://127.0.0.1:${port}/`],
  ['with IPv6 loopback', ({ port }) => `http://[::1]:${port}/`],
  ['with another port', () => 'http://localhost:1/'],
  ['without a port', () => 'http://localhost/'],
  ['with capitals', ({ port }) => `http://LOCALHOST:${port}/`],
  ['with a final dot', ({ port }) => `http://localhost.:${port}/`],
  ['over https', ({ host }) => `https://${host}/`],
  ['with a scheme in capitals', ({ host }) => `HTTP://${host}/`],
  ['with a backslash', ({ host }) => `http://${host}\\`],
  ['with a backslash before another host', ({ host }) => `http://${host}\\@evil.test/`],
  ['percent-encoded', ({ host }) => `http://${host}%2f`],
  ['with a newline', ({ origin }) => `${origin}/\n`],
  ['with a tab', ({ origin }) => `${origin}/\t`],
  ['with a space before', ({ origin }) => ` ${origin}/`],
  ['with a null', ({ origin }) => `${origin}/\0`],
  ['without a scheme', ({ host }) => `//${host}/`],
  ['relative', () => '/'],
  ['empty', () => ''],
  ['a script', () => 'javascript:alert(1)'],
  ['data', () => 'data:text/html,x'],
  ['another app', () => 'vitrine://callback'],
  ['another site', () => 'https://evil.test/'],
]

describe('a redirect address', () => {
  test.for(mutations)('%s leads nowhere', async ([, mutate]) => {
    const redirect_uri = mutate(new URL(server.publicUrl))
    const { response, location } = await visitor.authorize({ redirect_uri })
    expect(response.status).toBe(400)
    expect(location).toBe('')
  })

  test('left out leads nowhere', async () => {
    const { response } = await visitor.authorize({ redirect_uri: undefined })
    expect(response.status).toBe(400)
  })

  test('has to match exactly at sign-out too', async () => {
    const { id_token } = await visitor.signIn(admin)
    for (const [, mutate] of mutations.filter(([name]) => name !== 'empty')) {
      const query = new URLSearchParams({
        id_token_hint: id_token,
        post_logout_redirect_uri: mutate(new URL(server.publicUrl)),
      })
      const response = await visitor.jar.fetch(`${visitor.issuer}/session/end?${query}`)
      expect(response.status).toBe(400)
    }
  })
})

describe('authorization', () => {
  const cases: [string, Record<string, string | undefined>, string][] = [
    [
      'without PKCE',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE that is plain by default', { code_challenge_method: undefined }, 'invalid_request'],
    ['implicit', { response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['implicit with a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['hybrid', { response_type: 'code id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://evil.test/' }, 'invalid_target'],
    ['without anybody signed in', { prompt: 'none' }, 'login_required'],
  ]
  test.for(cases)('%s is refused', async ([, parameters, error]) => {
    const { location } = await visitor.authorize(parameters)
    const { origin, searchParams, hash } = new URL(location)
    const answer = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1))
    expect(origin).toBe(server.publicUrl)
    expect(answer.get('error')).toBe(error)
    expect(answer.get('state')).toBe('some-state')
  })

  test('for another client is refused on a page of ours', async () => {
    const { response } = await visitor.authorize({ client_id: '"><script>alert(1)</script>' })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).not.toContain('<script>alert')
  })
})

describe('the token endpoint', () => {
  test.for([
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ])('refuses the grant %s', async (grant_type) => {
    const response = await visitor.token({ grant_type, ...admin, scope: 'openid' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'unsupported_grant_type' })
  })

  test('answers other origins with nothing that their scripts could read', async () => {
    const response = await fetch(`${visitor.issuer}/token`, {
      method: 'POST',
      headers: { origin: 'https://evil.test' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'vitrine',
        refresh_token: 'x',
      }),
    })
    expect(response.status).toBe(400)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('spellings of the address reach nothing', async () => {
  for (const path of [
    '/%72ealms/local/jwks',
    '/realms%2Flocal/jwks',
    '/realms/local%2Fjwks',
    '/REALMS/local/jwks',
  ]) {
    const response = await fetch(`${server.url}${path}`)
    expect(response.status, path).toBe(404)
  }
})
