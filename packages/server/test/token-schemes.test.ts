import type { CreatedToken } from '@vitrine/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from './body-of.ts'
import { challenge } from './challenge.ts'
import { LogLines } from './log-lines.ts'
import { startTestServer, type TestServer } from './server.ts'

const log = new LogLines()
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ VITRINE_LOG_LEVEL: 'info' }, { logOutput: log.output })
  const schema = [{ name: 'name', type: 'string', length: 20 }]
  await server.client.repoCreate({ body: { name: 'people', schema } })
})

afterAll(() => server.close())

const create = () =>
  server.client.tokenCreate({ body: { name: 'ci', scope: 'read', expiresAt: null } })
const ask = (authorization: string): Promise<Response> =>
  server.request('/api/dataset/people/count', { token: null, headers: { authorization } })
const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

describe('a token sent with Basic', () => {
  let created: CreatedToken
  beforeAll(async () => {
    created = await create()
  })

  test.for(['', 'alice', 'name with spaces', 'Zoë'])('with the name %j', async (name) => {
    expect((await ask(basic(name, created.token))).status).toBe(200)
  })

  test('in any case, and on reads without a body', async () => {
    const encoded = basic('x', created.token).slice(6)
    expect((await ask(`basic ${encoded}`)).status).toBe(200)
    expect((await ask(`BASIC   ${encoded}`)).status).toBe(200)
    const headers = { authorization: basic('x', created.token) }
    const head = await server.request('/api/dataset/people', {
      method: 'HEAD',
      token: null,
      headers,
    })
    expect(head.status).toBe(200)
  })

  test.for<[string, () => string]>([
    ['nothing', () => 'Basic'],
    ['what is no base64', () => 'Basic ****'],
    ['no colon', () => `Basic ${Buffer.from(created.token).toString('base64')}`],
    ['a password', () => basic('alice', 'correct horse battery')],
    ['the token as the name', () => basic(created.token, '')],
    ['a token that was cut off', () => basic('x', created.token.slice(0, -1))],
    ['two tokens', () => `${basic('x', created.token)}, Bearer ${created.token}`],
  ])('with %s is refused', async ([, authorization]) => {
    const response = await ask(authorization())
    expect(response.status).toBe(401)
    expect(await bodyOf(response)).toMatchObject({ code: 'TOKEN_INVALID' })
  })

  test('with a token of the provider is refused', async () => {
    expect((await ask(basic('alice', await server.issuer.token()))).status).toBe(401)
  })
})

describe('a refusal', () => {
  const offered = 'Basic realm="vitrine", charset="UTF-8"'
  test.for([
    ['a program that sends nothing', { 'user-agent': 'curl/8.5.0' }, true],
    ['a program that sent Basic', { 'user-agent': 'Wget/1.21', authorization: 'Basic eDp5' }, true],
    ['one that sent a token', { 'user-agent': 'curl/8.5.0', authorization: 'Bearer x' }, false],
    ['a browser', { 'user-agent': 'Mozilla/5.0 (X11)', 'sec-fetch-mode': 'cors' }, false],
    ['a browser that is led there', { 'sec-fetch-mode': 'navigate' }, false],
    ['a browser without TLS', { 'user-agent': 'Mozilla/5.0 (X11)' }, false],
  ] as const)('to %s says Bearer, and Basic where no browser asks', async ([, headers, basic]) => {
    const said = await challenge(server.url, headers)
    expect(said).toContain('Bearer realm="vitrine"')
    expect(said.includes(offered)).toBe(basic)
  })

  test('is logged with its reason, and without the token', async () => {
    const { token, id } = await create()
    const before = log.with('a token was refused').length
    const typo = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
    await ask(`Bearer ${typo}`)
    await server.client.tokenRevoke({ tokenId: id })
    await ask(`Bearer ${token}`)
    await ask(basic('alice', token))
    await ask(basic('alice', 'secret password'))
    const refused = log.with('a token was refused').slice(before)
    expect(refused.map(({ reason }) => reason)).toEqual([
      'a character of it is wrong or missing',
      'it was revoked, or never was one',
      'it was revoked, or never was one',
      'the password of Basic is no personal access token',
    ])
    for (const secret of [token.slice(4, 40), 'secret password', basic('a', token).slice(12, 40)]) {
      expect(log.text).not.toContain(secret)
    }
  })
})
