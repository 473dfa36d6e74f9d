import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBearer } from '../src/access/bearer.ts'
import type { Authenticate } from '../src/access/identity.ts'
import { remoteKeys } from '../src/access/remote-keys.ts'
import { type Issuer, startIssuer } from './issuer.ts'
import { outcome } from './outcome.ts'

let issuer: Issuer
let authenticate: Authenticate
let milliseconds: number
const clock = () => milliseconds
const wait = async (ms: number) => {
  milliseconds += ms
}
const seconds = () => Math.floor(milliseconds / 1000)

beforeEach(async () => {
  milliseconds = Date.now()
  issuer = await startIssuer()
  authenticate = createBearer({
    issuer: issuer.issuer,
    audience: issuer.audience,
    clientId: issuer.clientId,
    keys: remoteKeys(issuer.issuer, { clock, wait }),
    clock,
  })
})

afterEach(() => issuer.close())

describe('the verification that is kept', () => {
  test('ends with the token', async () => {
    const token = await issuer.token({ exp: seconds() + 20 })
    expect(await outcome(authenticate, token)).toBe('accepted')
    milliseconds += 24_000
    expect(await outcome(authenticate, token)).toBe('accepted')
    milliseconds += 2_000
    expect(await outcome(authenticate, token)).toBe('TOKEN_EXPIRED')
  })

  test('ends when the key is withdrawn', async () => {
    const token = await issuer.token()
    expect(await outcome(authenticate, token)).toBe('accepted')
    issuer.published.length = 0
    await issuer.rotate()
    expect(await outcome(authenticate, await issuer.token())).toBe('accepted')
    expect(await outcome(authenticate, token)).toBe('TOKEN_INVALID')
  })
})

describe('the keys', () => {
  test('rotate without one refusal', async () => {
    const old = await issuer.token()
    expect(await outcome(authenticate, old)).toBe('accepted')
    await issuer.rotate()
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, id) => issuer.token({ id })))
    const outcomes = await Promise.all(
      [...tokens, old].map((token) => outcome(authenticate, token)),
    )
    expect(new Set(outcomes)).toEqual(new Set(['accepted']))
  })

  test('are fetched at most once in two seconds, even for many unknown key ids', async () => {
    expect(await outcome(authenticate, await issuer.token())).toBe('accepted')
    const made = Array.from({ length: 50 }, (_, id) => issuer.token({}, { kid: `made-up-${id}` }))
    const outcomes = await Promise.all(
      (await Promise.all(made)).map((token) => outcome(authenticate, token)),
    )
    expect(new Set(outcomes)).toEqual(new Set(['TOKEN_INVALID']))
    // The first load, and the one that the first unknown key caused.
    expect(issuer.requests.filter((path) => path.endsWith('/keys'))).toHaveLength(2)
  })

  test('rotate without one refusal right after a token named a key that is not there', async () => {
    const madeUp = await issuer.token({}, { kid: 'made-up' })
    expect(await outcome(authenticate, madeUp)).toBe('TOKEN_INVALID')
    for (let rotation = 0; rotation < 2; rotation += 1) {
      await issuer.rotate()
      expect(await outcome(authenticate, await issuer.token())).toBe('accepted')
    }
  })

  test('give PROVIDER_UNAVAILABLE, not TOKEN_INVALID, while they cannot be fetched', async () => {
    expect(await outcome(authenticate, await issuer.token())).toBe('accepted')
    await issuer.rotate()
    issuer.up = false
    const token = await issuer.token()
    expect(await outcome(authenticate, token)).toBe('PROVIDER_UNAVAILABLE')
    issuer.up = true
    expect(await outcome(authenticate, token)).toBe('accepted')
  })

  test('serve on while the provider is down, for a day', async () => {
    expect(await outcome(authenticate, await issuer.token())).toBe('accepted')
    issuer.up = false
    milliseconds += 23 * 3_600_000
    const late = () => issuer.token({ iat: seconds(), exp: seconds() + 300 })
    expect(await outcome(authenticate, await late())).toBe('accepted')
    milliseconds += 2 * 3_600_000
    expect(await outcome(authenticate, await late())).toBe('PROVIDER_UNAVAILABLE')
    issuer.up = true
    milliseconds += 5_000
    expect(await outcome(authenticate, await late())).toBe('accepted')
  })

  test('are fetched again after two seconds when the provider was down at first', async () => {
    issuer.up = false
    const token = await issuer.token()
    expect(await outcome(authenticate, token)).toBe('PROVIDER_UNAVAILABLE')
    issuer.up = true
    expect(await outcome(authenticate, token)).toBe('PROVIDER_UNAVAILABLE')
    milliseconds += 2_000
    expect(await outcome(authenticate, token)).toBe('accepted')
  })

  test.for([
    ['of another issuer', { issuer: 'https://elsewhere.test' }],
    ['of the issuer with a slash', { issuer: 'slash' }],
    ['with keys at no web address', { jwks_uri: 'file:///etc/passwd' }],
  ] as const)('are not taken from a discovery document %s', async ([, discovery]) => {
    issuer.discovery =
      'issuer' in discovery && discovery.issuer === 'slash'
        ? { issuer: `${issuer.issuer}/` }
        : discovery
    expect(await outcome(authenticate, await issuer.token())).toBe('PROVIDER_UNAVAILABLE')
  })
})
