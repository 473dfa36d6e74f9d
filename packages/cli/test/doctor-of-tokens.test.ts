import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestServer } from '../../server/test/server.ts'
import { examine, start } from './examine.ts'

describe('a token', () => {
  let server: TestServer
  let env: Record<string, string>
  beforeEach(async () => {
    ;({ server, env } = await start())
  })

  const found = async (token: string, own = {}) => {
    const { lines } = await examine({ ...env, ...own }, token)
    const judged = lines.filter(({ subject, status }) => subject === 'token' && status === 'wrong')
    return judged.map(({ found }) => found)
  }
  const seconds = () => Math.floor(Date.now() / 1000)

  test.for([
    ['of another issuer', { iss: 'https://elsewhere.example' }, /^iss: https:\/\/elsewhere/],
    ['for another audience', { aud: 'other', client_id: 'x' }, /^aud: other, for the client x/],
    ['that has ended', { exp: 1 }, /^exp: 1970-01-01T00:00:01.000Z, which was \d+ s ago/],
    ['without an end', { exp: undefined }, /^exp: none, and it must have one/],
    ['of a subject without a name', { sub: '' }, /^sub: , and it must name one/],
    [
      'that is an ID token',
      { nonce: 'x', scope: undefined, client_id: undefined },
      /^typ: JWT, but it is no access token: it has nonce/,
    ],
    ['of the future', { iat: 4e9 }, /^iat: 2096-.* s from now/],
    ['that is not good yet', { nbf: 4e9 }, /^nbf: 2096-/],
  ] as const)('%s', async ([, claims, wanted]) => {
    const typ = 'nonce' in claims ? { typ: 'JWT' } : {}
    const judged = await found(await server.issuer.token(claims, typ))
    expect(judged).toHaveLength(2)
    expect(judged[0]).toMatch(wanted)
    expect(judged[1]).toMatch(/^the server refuses it with TOKEN_(INVALID|EXPIRED)/)
  })

  test('with more than one thing wrong', async () => {
    const many = await found(await server.issuer.token({ iss: 'x', aud: 'x', exp: 5 }))
    expect(many.map((line) => line.split(':')[0])).toEqual([
      'iss',
      'aud',
      'exp',
      'the server refuses it with TOKEN_INVALID',
    ])
  })

  // Each on a server of its own: one asks for unknown keys every two seconds at most.
  test('is reported when its algorithm is not accepted', async () => {
    const forged = await new SignJWT({ sub: 'alice', exp: seconds() + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1', typ: 'at+jwt' })
      .sign(new TextEncoder().encode(randomUUID()))
    expect((await found(forged))[0]).toBe(
      'signature: HS256 by the key key-1, and that algorithm is not taken',
    )
  })

  test('is reported when its key is unknown, or when it is no JWT', async () => {
    const unknown = await server.issuer.token({}, { kid: 'lost' })
    expect((await found(unknown))[0]).toMatch(
      /^signature: ES256 by the key lost is not good: no app/,
    )
    expect((await found('opaque'))[0]).toBe('it is no JWT, so that nothing can be read in it')
  })

  test('is accepted once VITRINE_OIDC_AUDIENCE names its audience', async () => {
    const token = await server.issuer.token({ aud: 'https://api.example', azp: 'vitrine' })
    expect(await found(token)).toHaveLength(2)
    const { lines } = await examine({ ...env, VITRINE_OIDC_AUDIENCE: 'https://api.example' }, token)
    expect(lines.at(-1)).toMatchObject({ status: 'ok', found: 'the server takes it, as alice' })
  })

  test('of a person is checked in the database, without noting it as used', async () => {
    const body = { name: 'ci', scope: 'read', expiresAt: null }
    const { token, id } = await server.client.tokenCreate({ body })
    const { lines } = await examine(env, token)
    expect(lines.at(-1)).toMatchObject({
      status: 'ok',
      found: 'the server takes it, as alice, for read',
    })
    expect((await server.client.tokenList({}))[0]!.usedAt).toBeNull()
    expect(await found(token, { VITRINE_TOKENS: 'off' })).toContain(
      'the server refuses it with TOKEN_INVALID: personal access tokens are switched off',
    )
    expect(await found(`${token}x`)).toEqual([
      'the server refuses it with TOKEN_INVALID: a character of it is wrong or missing',
    ])
    await server.client.tokenRevoke({ tokenId: id })
    expect(await found(token)).toEqual([
      'the server refuses it with TOKEN_INVALID: it was revoked, or never was one',
    ])
  })
})
