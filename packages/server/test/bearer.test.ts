import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Authenticate } from '../src/access/identity.ts'
import { createBearer, type BearerOptions } from '../src/access/bearer.ts'
import { remoteKeys } from '../src/access/remote-keys.ts'
import { type Issuer, startIssuer } from './issuer.ts'
import { outcome } from './outcome.ts'

let issuer: Issuer
const seconds = () => Math.floor(Date.now() / 1000)

function bearer(options: Partial<BearerOptions> = {}): Authenticate {
  return createBearer({
    issuer: issuer.issuer,
    audience: issuer.audience,
    clientId: issuer.clientId,
    keys: remoteKeys(issuer.issuer),
    ...options,
  })
}

beforeEach(async () => {
  issuer = await startIssuer()
})

afterEach(() => issuer.close())

test('an access token says who asks', async () => {
  const authenticate = bearer()
  const identity = { issuer: issuer.issuer, subject: 'alice' }
  const token = await issuer.token()
  expect(await authenticate(`Bearer ${token}`)).toEqual(identity)
  expect(await authenticate(`bearer ${token}`)).toEqual(identity)
})

test.for(['RS256', 'PS256', 'ES384', 'EdDSA'])('%s is among the algorithms', async (alg) => {
  const other = await startIssuer({ alg })
  try {
    const keys = remoteKeys(other.issuer)
    expect(await outcome(bearer({ issuer: other.issuer, keys }), await other.token())).toBe(
      'accepted',
    )
  } finally {
    await other.close()
  }
})

describe('the header', () => {
  test('missing', async () => {
    await expect(bearer()(undefined)).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
  })

  test.for(['', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', '\0'])(
    'garbage: %j',
    async (header) => {
      await expect(bearer()(header)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
    },
  )

  test('two tokens, one after the other', async () => {
    const token = await issuer.token()
    const header = `Bearer ${token}, Bearer ${token}`
    await expect(bearer()(header)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
  })

  test('a token of more than 16 KB, however genuine', async () => {
    const token = await issuer.token({ padding: 'x'.repeat(16 * 1024) })
    expect(await outcome(bearer(), token)).toBe('TOKEN_INVALID')
  })
})

describe('the claims', () => {
  const cases: [string, () => Record<string, unknown>, string][] = [
    ['expired', () => ({ exp: seconds() - 6 }), 'TOKEN_EXPIRED'],
    ['expired within the tolerance', () => ({ exp: seconds() - 2 }), 'accepted'],
    ['expired long ago', () => ({ exp: seconds() - 3600 }), 'TOKEN_EXPIRED'],
    ['no expiry', () => ({ exp: undefined }), 'TOKEN_INVALID'],
    ['expiry as text', () => ({ exp: String(seconds() + 300) }), 'TOKEN_INVALID'],
    ['not yet valid', () => ({ nbf: seconds() + 90 }), 'TOKEN_INVALID'],
    ['issued in the future', () => ({ iat: seconds() + 90 }), 'TOKEN_INVALID'],
    ['issued by a clock slightly ahead', () => ({ iat: seconds() + 30 }), 'accepted'],
    ['another issuer', () => ({ iss: 'https://elsewhere.test/realms/test' }), 'TOKEN_INVALID'],
    ['issuer with a slash', () => ({ iss: `${issuer.issuer}/` }), 'TOKEN_INVALID'],
    ['issuer in capitals', () => ({ iss: issuer.issuer.toUpperCase() }), 'TOKEN_INVALID'],
    ['no issuer', () => ({ iss: undefined }), 'TOKEN_INVALID'],
    ['no subject', () => ({ sub: undefined }), 'TOKEN_INVALID'],
    ['empty subject', () => ({ sub: '' }), 'TOKEN_INVALID'],
    ['subject as number', () => ({ sub: 7 }), 'TOKEN_INVALID'],
    ['another audience', () => ({ aud: 'other' }), 'TOKEN_INVALID'],
    ['no audience', () => ({ aud: undefined }), 'TOKEN_INVALID'],
    ['audience empty', () => ({ aud: [] }), 'TOKEN_INVALID'],
    ['ours among the audiences', () => ({ aud: ['other', 'vitrine-api'] }), 'accepted'],
    ['ours within another', () => ({ aud: 'vitrine-api-2' }), 'TOKEN_INVALID'],
    ['audience of another type', () => ({ aud: { 0: 'vitrine-api' } }), 'TOKEN_INVALID'],
  ]
  test.for(cases)('%s', async ([, claims, expected]) => {
    expect(await outcome(bearer(), await issuer.token(claims()))).toBe(expected)
  })
})

describe('a token when no audience is configured, as with Keycloak', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['azp is our client', { aud: 'account', azp: 'vitrine', client_id: undefined }, 'accepted'],
    ['no audience, azp is our client', { aud: undefined, azp: 'vitrine' }, 'accepted'],
    ['azp is another client', { aud: 'account', azp: 'other' }, 'TOKEN_INVALID'],
    ['client_id is our client', { aud: 'account' }, 'accepted'],
    ['our client is the audience', { aud: 'vitrine', azp: 'other' }, 'accepted'],
    ['nothing names us', { aud: 'account', client_id: undefined }, 'TOKEN_INVALID'],
  ]
  test.for(cases)('%s', async ([, claims, expected]) => {
    const token = await issuer.token({ typ: 'Bearer', ...claims }, { typ: 'JWT' })
    expect(await outcome(bearer({ audience: undefined }), token)).toBe(expected)
  })
})

describe('the kind of a token', () => {
  const none = { scope: undefined, client_id: undefined }
  const cases: [string, Record<string, unknown>, Record<string, unknown>, string][] = [
    ['ID token', { ...none, nonce: 'n', at_hash: 'h', azp: 'vitrine' }, {}, 'TOKEN_INVALID'],
    ['ID token without marks', { ...none, aud: 'vitrine' }, {}, 'TOKEN_INVALID'],
    ['nothing but our audience', none, {}, 'accepted'],
    [
      'nothing but our audience among others',
      { ...none, aud: ['a', 'vitrine-api'] },
      {},
      'accepted',
    ],
    ['our audience and an at_hash', { ...none, at_hash: 'h' }, {}, 'TOKEN_INVALID'],
    ['ID token that claims a scope', { nonce: 'n' }, {}, 'TOKEN_INVALID'],
    ["Keycloak's ID token", { typ: 'ID' }, {}, 'TOKEN_INVALID'],
    ["Keycloak's refresh token", { typ: 'Refresh' }, {}, 'TOKEN_INVALID'],
    ["Keycloak's access token", { ...none, typ: 'Bearer', nonce: 'n' }, {}, 'accepted'],
    ['typ in full', none, { typ: 'application/AT+jwt' }, 'accepted'],
    ['a scope', { ...none, scope: 'openid' }, {}, 'accepted'],
    ['scopes by the name of Entra ID', { ...none, scp: 'read' }, { typ: undefined }, 'accepted'],
    ["Cognito's ID token", { token_use: 'id' }, {}, 'TOKEN_INVALID'],
    ['logout token', {}, { typ: 'logout+jwt' }, 'TOKEN_INVALID'],
  ]
  test.for(cases)('%s', async ([, claims, header, expected]) => {
    const token = await issuer.token(claims, { typ: 'JWT', ...header })
    expect(await outcome(bearer(), token)).toBe(expected)
  })
})

describe('with neither marks nor a scope, as authentik and Dex issue them', () => {
  const none = { scope: undefined, client_id: undefined, aud: 'vitrine' }
  const cases: [string, string | undefined, Record<string, unknown>, string][] = [
    ['azp is our client', undefined, { azp: 'vitrine' }, 'accepted'],
    ['azp is another client', undefined, { azp: 'other' }, 'TOKEN_INVALID'],
    ['our client is the audience alone', undefined, {}, 'TOKEN_INVALID'],
    ['the audience is called as the client', 'vitrine', {}, 'TOKEN_INVALID'],
    ['so is it, and azp is our client', 'vitrine', { azp: 'vitrine' }, 'accepted'],
    ['an ID token by its at_hash', undefined, { azp: 'vitrine', at_hash: 'h' }, 'TOKEN_INVALID'],
  ]
  test.for(cases)('%s', async ([, audience, claims, expected]) => {
    const token = await issuer.token({ ...none, ...claims }, { typ: 'JWT' })
    expect(await outcome(bearer({ audience }), token)).toBe(expected)
  })
})

describe('the signature', () => {
  test('by another key with the same id is refused', async () => {
    const other = await generateKeyPair('ES256')
    const token = await new SignJWT(await claimsOf(await issuer.token()))
      .setProtectedHeader({ alg: 'ES256', kid: issuer.key().kid, typ: 'at+jwt' })
      .sign(other.privateKey)
    expect(await outcome(bearer(), token)).toBe('TOKEN_INVALID')
  })

  test('altered in any part', async () => {
    const [header, payload, signature] = (await issuer.token()).split('.') as [string, ...string[]]
    for (const token of [
      `${flip(header)}.${payload}.${signature}`,
      `${header}.${flip(payload)}.${signature}`,
      `${header}.${payload}.${flip(signature)}`,
      `${header}.${payload}.`,
    ]) {
      expect(await outcome(bearer(), token)).toBe('TOKEN_INVALID')
    }
  })

  test('alg none', async () => {
    const unsecured = new UnsecuredJWT(await claimsOf(await issuer.token())).encode()
    expect(await outcome(bearer(), unsecured)).toBe('TOKEN_INVALID')
  })

  test.for(['none', 'None', 'NONE'])('alg %s beside the genuine signature', async (alg) => {
    const [, payload, signature] = (await issuer.token()).split('.')
    const header = Buffer.from(JSON.stringify({ alg, typ: 'at+jwt' })).toString('base64url')
    expect(await outcome(bearer(), `${header}.${payload}.${signature}`)).toBe('TOKEN_INVALID')
  })

  test('HS256 with the public key as the secret', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(issuer.key().publicKey))
    const token = await new SignJWT(await claimsOf(await issuer.token()))
      .setProtectedHeader({ alg: 'HS256', kid: issuer.key().kid, typ: 'at+jwt' })
      .sign(secret)
    expect(await outcome(bearer(), token)).toBe('TOKEN_INVALID')
  })

  test('with a critical extension that nobody knows', async () => {
    const token = await new SignJWT(await claimsOf(await issuer.token()))
      .setProtectedHeader({ alg: 'ES256', kid: issuer.key().kid, crit: ['x'], x: 1, typ: 'at+jwt' })
      .sign(issuer.key().privateKey, { crit: { x: true } })
    expect(await outcome(bearer(), token)).toBe('TOKEN_INVALID')
  })

  test('by a key in the token header is refused without fetching any URL', async () => {
    const attacker = await generateKeyPair('ES256', { extractable: true })
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
    const authenticate = bearer()
    const brought: Record<string, unknown>[] = [
      { jwk: await exportJWK(attacker.publicKey) },
      { jku: url },
      { x5u: url },
      { x5c: ['MIIB'] },
    ]
    const claims = await claimsOf(await issuer.token())
    try {
      for (const header of brought) {
        const forged = new SignJWT(claims).setProtectedHeader({
          alg: 'ES256',
          kid: issuer.key().kid,
          typ: 'at+jwt',
          ...header,
        })
        expect(await outcome(authenticate, await forged.sign(attacker.privateKey))).toBe(
          'TOKEN_INVALID',
        )
        // Refused even when the signature is the issuer's own.
        expect(await outcome(authenticate, await issuer.token({}, header))).toBe('TOKEN_INVALID')
      }
      expect(asked).toEqual([])
      expect(issuer.requests).toEqual([])
    } finally {
      server.close()
    }
  })

  test('by either of two keys with the same id is accepted, with or without kid', async () => {
    const first = issuer.key()
    await issuer.rotate()
    const second = issuer.key()
    for (const key of issuer.published) key.kid = 'same'
    const authenticate = bearer()
    const claims = await claimsOf(await issuer.token())
    for (const { privateKey } of [first, second]) {
      for (const header of [{ kid: 'same' }, {}]) {
        const token = await new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
          .sign(privateKey)
        expect(await outcome(authenticate, token)).toBe('accepted')
      }
    }
    const stranger = await generateKeyPair('ES256')
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'same' })
      .sign(stranger.privateKey)
    expect(await outcome(authenticate, forged)).toBe('TOKEN_INVALID')
  })
})

function flip(text = ''): string {
  return text.slice(0, 8) + (text[8] === 'A' ? 'B' : 'A') + text.slice(9)
}

async function claimsOf(token: string): Promise<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}
