import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBearer } from '../src/access/bearer.ts'
import { reportOutages } from '../src/access/report-outages.ts'
import { remoteKeys } from '../src/access/remote-keys.ts'
import { openLog } from '../src/open-log.ts'
import { startIssuer, type Issuer } from './issuer.ts'
import { levels, LogLines } from './log-lines.ts'
import { outcome } from './outcome.ts'
import { startTestServer, type TestServer } from './server.ts'

let log: LogLines

beforeEach(() => {
  log = new LogLines()
})

describe('the log says why a token was refused', () => {
  let server: TestServer

  beforeEach(async () => {
    server = await startTestServer({ VITRINE_LOG_LEVEL: 'info' }, { logOutput: log.output })
  })

  afterEach(() => server.close())

  const refused = async (token: string) => {
    const response = await server.request('/api/dataset', { token })
    expect(response.status).toBe(401)
    const line = await log.first('a token was refused')
    expect(line.level).toBe(levels.info)
    expect(line.reqId).toBe(response.headers.get('x-request-id'))
    for (const part of token.split('.')) expect(log.text).not.toContain(part)
    return line
  }

  test('with another audience', async () => {
    const { issuer, audience } = server.issuer
    const line = await refused(await server.issuer.token({ aud: 'account', azp: 'other' }))
    expect(line).toMatchObject({
      reason: 'it is for another audience',
      expected: { issuer, audience },
      found: {
        header: { alg: 'ES256', kid: 'key-1' },
        claims: { iss: issuer, aud: 'account', azp: 'other', exp: expect.any(Number) as number },
      },
    })
  })

  test('with another issuer, whose name is truncated', async () => {
    const iss = `https://other.example/${'x'.repeat(1000)}`
    const { reason, found } = await refused(await server.issuer.token({ iss }))
    expect(reason).toBe('unexpected "iss" claim value')
    expect(found).toMatchObject({ claims: { iss: `${iss.slice(0, 200)}…` } })
  })

  test('that is no JWT', async () => {
    const { reason, found } = await refused('opaque-and-secret')
    expect(reason).toBe('Invalid Token or Protected Header formatting')
    expect(found).toEqual({ characters: 17, dots: 0 })
  })

  test('signed with another key of the same id', async () => {
    const other = await startIssuer()
    const forged = await other.token({ iss: server.issuer.issuer })
    await other.close()
    expect(await refused(forged)).toMatchObject({ reason: 'signature verification failed' })
  })
})

describe('the log says why the provider is unavailable', () => {
  let issuer: Issuer

  beforeEach(async () => {
    issuer = await startIssuer()
  })

  afterEach(() => issuer.close())

  test('at error with its cause, once a minute with how many requests were refused', async () => {
    let milliseconds = 0
    const clock = () => milliseconds
    const { audience, clientId } = issuer
    const keys = remoteKeys(issuer.issuer, { clock })
    const { logger } = openLog('error', log.output)
    const authenticate = reportOutages(
      createBearer({ issuer: issuer.issuer, audience, clientId, keys }),
      { logger, clock },
    )
    issuer.up = false
    const token = await issuer.token()
    const refuse = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        expect(await outcome(authenticate, token)).toBe('PROVIDER_UNAVAILABLE')
      }
    }
    await refuse(20)
    const message = 'the identity provider is unavailable'
    expect(log.with(message)).toMatchObject([{ level: levels.error, refused: 1 }])
    expect(log.with(message)[0]?.err?.message).toContain('openid-configuration answered 503')
    milliseconds = 59_999
    await refuse(1)
    expect(log.with(message)).toHaveLength(1)
    milliseconds = 60_000
    await refuse(1)
    expect(log.with(message)).toMatchObject([{ refused: 1 }, { refused: 21 }])
  })

  test('at level error in a running server', async () => {
    issuer.up = false
    await using cleaning = new AsyncDisposableStack()
    const options = { VITRINE_LOG_LEVEL: 'error', VITRINE_OIDC_AUTHORITY: issuer.issuer }
    const server = await startTestServer(options, { logOutput: log.output })
    cleaning.defer(server.close)
    const token = await issuer.token()
    expect((await server.request('/api/dataset', { token })).status).toBe(503)
    const { level } = await log.first('the identity provider is unavailable')
    expect(level).toBe(levels.error)
  })

  test.for([
    ['answers otherwise', (its: Issuer) => void (its.up = false), 'answered 503'],
    [
      'names another issuer',
      (its: Issuer) => void (its.discovery = { issuer: 'https://other.example' }),
      'is of the issuer https://other.example, not of ',
    ],
    [
      'is none',
      (its: Issuer) => void (its.discovery = { jwks_uri: 7 }),
      'is not what an OpenID provider serves there',
    ],
  ] as [string, (its: Issuer) => void, string][])(
    'at the start, when its discovery document %s',
    async ([, spoil, reason]) => {
      spoil(issuer)
      const server = await startTestServer(
        { VITRINE_LOG_LEVEL: 'info', VITRINE_OIDC_AUTHORITY: issuer.issuer },
        { logOutput: log.output },
      )
      try {
        const line = await log.first(
          'the identity provider cannot be used: nobody can sign in until it can',
        )
        expect(line.level).toBe(levels.warn)
        expect(line.err?.message).toContain(reason)
      } finally {
        await server.close()
      }
    },
  )
})
