import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { admin, type LocalServer, startLocalServer } from './local-server.ts'
import type { Tokens, Visitor } from './sign-in.ts'

let server: LocalServer
let visitor: Visitor

beforeAll(async () => {
  server = await startLocalServer()
})
afterAll(() => server.close())
beforeEach(() => {
  visitor = server.visitor()
})

const status = async (token: string) => (await server.request('/api/dataset', { token })).status
const json = async (response: Response) => (await response.json()) as Record<string, unknown>

test('discovery says what there is and leaves out what is refused', async () => {
  const { issuer } = visitor
  const found = await json(await fetch(`${issuer}/.well-known/openid-configuration`))
  expect(found).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device/auth`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/me`,
    revocation_endpoint: `${issuer}/token/revocation`,
    end_session_endpoint: `${issuer}/session/end`,
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  })
})

test('addresses are those of the public URL, whatever the request says', async () => {
  const { issuer } = visitor
  const response = await fetch(`${server.url}/realms/local/.well-known/openid-configuration`, {
    headers: { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
  })
  expect(await json(response)).toMatchObject({ issuer, token_endpoint: `${issuer}/token` })
})

test('the keys are published without their private halves', async () => {
  const { keys } = (await json(await fetch(`${visitor.issuer}/jwks`))) as { keys: object[] }
  expect(keys).toHaveLength(2)
  for (const key of keys) expect(key).not.toHaveProperty('d')
})

describe('the tokens', () => {
  let tokens: Tokens
  beforeEach(async () => {
    tokens = await visitor.signIn(admin)
  })

  test('are signed by the published keys and name their audience', async () => {
    const keys = createRemoteJWKSet(new URL(`${visitor.issuer}/jwks`))
    const { issuer } = visitor
    const access = await jwtVerify(tokens.access_token, keys, {
      issuer,
      typ: 'at+jwt',
      audience: `${server.publicUrl}/api`,
    })
    expect(access.payload).toMatchObject({ client_id: 'vitrine', scope: 'openid profile' })
    const id = await jwtVerify(tokens.id_token, keys, { issuer, audience: 'vitrine' })
    expect(id.payload).toMatchObject({ name: 'admin', preferred_username: 'admin' })
    expect(id.payload.sub).toBe(access.payload.sub)
    expect(id.payload.sub).toMatch(/^[0-9a-f-]{36}$/)
    expect(decodeProtectedHeader(tokens.id_token).kid).not.toBe(access.protectedHeader.kid)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: 'openid profile' })
  })

  test('open the API; the ID token and the refresh token do not', async () => {
    expect(await status(tokens.access_token)).toBe(200)
    expect(await status(tokens.id_token)).toBe(401)
    expect(await status(tokens.refresh_token)).toBe(401)
  })

  test('open userinfo', async () => {
    const userInfo = (token?: string) =>
      fetch(`${visitor.issuer}/me`, token ? { headers: { authorization: `Bearer ${token}` } } : {})
    const { payload } = await jwtVerify(
      tokens.id_token,
      createRemoteJWKSet(new URL(`${visitor.issuer}/jwks`)),
    )
    const found = await userInfo(tokens.access_token)
    expect(found.headers.get('cache-control')).toBe('no-store')
    expect(await found.json()).toEqual({
      sub: payload.sub,
      name: 'admin',
      preferred_username: 'admin',
    })
    expect((await userInfo()).status).toBe(401)
    expect((await userInfo(tokens.id_token)).status).toBe(401)
  })
})

describe('the code', () => {
  test('serves once; used again, it takes back what it gave', async () => {
    const { code, verifier } = await visitor.code(admin)
    const first = await visitor.exchange(code, verifier)
    expect(first.status).toBe(200)
    const { refresh_token } = (await first.json()) as Tokens
    const second = await visitor.exchange(code, verifier)
    expect(second.status).toBe(400)
    expect(await json(second)).toMatchObject({ error: 'invalid_grant' })
    expect((await visitor.refresh(refresh_token)).status).toBe(400)
  })

  test('serves once among requests that come together', async () => {
    const { code, verifier } = await visitor.code(admin)
    const all = await Promise.all(Array.from({ length: 8 }, () => visitor.exchange(code, verifier)))
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(all.filter(({ status }) => status >= 500)).toEqual([])
  })

  test('does not serve with another verifier, without one, or elsewhere', async () => {
    const { code, verifier } = await visitor.code(admin)
    expect((await visitor.exchange(code, 'x'.repeat(43))).status).toBe(400)
    const grant = { grant_type: 'authorization_code', code }
    const home = { redirect_uri: `${server.publicUrl}/` }
    expect((await visitor.token({ ...grant, ...home })).status).toBe(400)
    const elsewhere = { redirect_uri: `${server.publicUrl}/else`, code_verifier: verifier }
    expect((await visitor.token({ ...grant, ...elsewhere })).status).toBe(400)
    const other = { ...grant, ...home, code_verifier: verifier, client_id: 'other' }
    expect((await visitor.token(other)).status).toBe(401)
  })
})

describe('the refresh token', () => {
  test('is replaced at every use, with a valid access token', async () => {
    const first = await visitor.signIn(admin)
    const response = await visitor.refresh(first.refresh_token)
    const second = (await response.json()) as Tokens
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.id_token).toBeDefined()
    const api = await server.request('/api/dataset', { token: second.access_token })
    expect(api.status).toBe(200)
  })

  test('used again ends the whole chain', async () => {
    const first = await visitor.signIn(admin)
    const second = (await (await visitor.refresh(first.refresh_token)).json()) as Tokens
    const again = await visitor.refresh(first.refresh_token)
    expect(again.status).toBe(400)
    expect(await json(again)).toMatchObject({ error: 'invalid_grant' })
    expect((await visitor.refresh(second.refresh_token)).status).toBe(400)
    // The session is not to blame: the app signs in again without a password.
    const { location } = await visitor.authorize({ prompt: 'none' })
    expect(new URL(location).searchParams.get('code')).not.toBeNull()
  })

  test('serves one of those that come together', async () => {
    const { refresh_token } = await visitor.signIn(admin)
    const all = await Promise.all(Array.from({ length: 8 }, () => visitor.refresh(refresh_token)))
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(all.filter(({ status }) => status >= 500)).toEqual([])
  })

  test('revoked, serves no more', async () => {
    const { refresh_token } = await visitor.signIn(admin)
    const revoked = await visitor.post('token/revocation', {
      client_id: 'vitrine',
      token: refresh_token,
      token_type_hint: 'refresh_token',
    })
    expect(revoked.status).toBe(200)
    expect((await visitor.refresh(refresh_token)).status).toBe(400)
  })
})

test('an access token that was revoked opens nothing, though it was verified before', async () => {
  const { access_token: token } = await visitor.signIn(admin)
  const other = (await server.visitor().signIn(admin)).access_token
  expect((await server.request('/api/dataset', { token })).status).toBe(200)
  const revoke = (form: Record<string, string>) =>
    visitor.post('token/revocation', { client_id: 'vitrine', ...form })
  expect((await revoke({ token, token_type_hint: 'access_token' })).status).toBe(200)
  expect((await server.request('/api/dataset', { token })).status).toBe(401)
  expect((await server.request('/api/dataset', { token: other })).status).toBe(200)
  // What is no token of ours is nothing to do, and no error (RFC 7009 §2.2).
  expect((await revoke({ token: 'eyJhbGciOiJub25lIn0.e30.' })).status).toBe(200)
  expect((await revoke({ token: other, client_id: 'other' })).status).toBe(401)
  expect((await server.request('/api/dataset', { token: other })).status).toBe(200)
})

test('an access token is revoked whatever media types the client takes', async () => {
  const { access_token: token } = await visitor.signIn(admin)
  const response = await fetch(`${visitor.issuer}/token/revocation`, {
    method: 'POST',
    headers: { accept: 'text/plain, text/html, application/json' },
    body: new URLSearchParams({ client_id: 'vitrine', token, token_type_hint: 'access_token' }),
  })
  expect(response.status).toBe(200)
  expect((await server.request('/api/dataset', { token })).status).toBe(401)
})
