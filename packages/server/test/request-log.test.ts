import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { admin, startLocalServer, type LocalServer } from './local-server.ts'
import { LogLines } from './log-lines.ts'
import { startTestServer, type TestServer } from './server.ts'

const level = { VITRINE_LOG_LEVEL: 'info' }
let log: LogLines

beforeEach(() => {
  log = new LogLines()
})

/** The line of the last request to a path. */
async function lineOf(path: string) {
  const lines = () => log.with('request').filter((line) => line['path'] === path)
  await expect.poll(() => lines().length).toBeGreaterThan(0)
  return lines().at(-1)!
}

describe('the log of calls', () => {
  let server: TestServer
  const start = async (env: Record<string, string> = {}) => {
    server = await startTestServer({ ...level, ...env }, { logOutput: log.output })
  }
  afterEach(() => server.close())

  test('a line names who made the call, and nobody where nobody was asked', async () => {
    await start()
    await server.request('/api/dataset')
    expect(await lineOf('/api/dataset')).toMatchObject({ subject: 'alice', status: 200 })
    await server.request('/healthz', { token: null })
    expect(await lineOf('/healthz')).not.toHaveProperty('subject')
    await server.request('/api/repo', { token: null })
    const refused = await lineOf('/api/repo')
    expect(refused).toMatchObject({ status: 401 })
    expect(refused).not.toHaveProperty('subject')
    expect(log.text).not.toContain('"address"')
  })

  test('names the person whose token lacks the scope', async () => {
    await start()
    const body = { name: 'ci', scope: 'read', expiresAt: null } as const
    const { token } = await server.client.tokenCreate({ body })
    const reply = await server.request('/api/repo', { method: 'POST', token })
    expect(reply.status).toBe(403)
    expect(await lineOf('/api/repo')).toMatchObject({ subject: 'alice', status: 403 })
  })

  test.for([
    ['http://localhost:1', '127.0.0.1'],
    ['https://data.example.org', '192.0.2.7'],
  ])('with VITRINE_LOG_ADDRESSES a line at %s says %s', async ([publicUrl, address]) => {
    await start({ VITRINE_LOG_ADDRESSES: 'on', VITRINE_PUBLIC_URL: publicUrl! })
    const headers = { 'x-forwarded-for': '198.51.100.1, 192.0.2.7' }
    await server.request('/api/dataset', { headers, token: 'opaque' })
    expect(await lineOf('/api/dataset')).toMatchObject({ address, status: 401 })
    expect(await log.first('a token was refused')).toMatchObject({ address })
  })
})

describe('the log of the built-in provider', () => {
  let server: LocalServer
  beforeEach(async () => {
    server = await startLocalServer(level, { logOutput: log.output })
  })
  afterEach(() => server.close())

  test('a right and a wrong password are told, without what was typed', async () => {
    const visitor = server.visitor()
    const { location } = await visitor.authorize()
    await visitor.submit(location, { username: admin.username, password: 'not it at all' })
    const subject = expect.stringMatching(/./)
    expect(await log.first('a password was refused')).toMatchObject({ reason: 'wrong', subject })
    await visitor.submit(location, { username: 'typed-by-mistake', password: 'not it at all' })
    await expect.poll(() => log.with('a password was refused').length).toBe(2)
    expect(log.with('a password was refused')[1]).not.toHaveProperty('subject')
    await visitor.submit(location, admin)
    expect(await log.first('a password was right')).toMatchObject({ subject })
    for (const typed of ['typed-by-mistake', 'not it at all', admin.password]) {
      expect(log.text).not.toContain(typed)
    }
  })

  test('sign-ins whose clients go before the reply are given back', async () => {
    const visitor = server.visitor()
    await visitor.signIn(admin)
    const pathname = '/realms/local/auth'
    const query = new URLSearchParams({
      client_id: 'vitrine',
      redirect_uri: `${server.publicUrl}/`,
      response_type: 'code',
      scope: 'openid profile',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const url = `${server.publicUrl}${pathname}?${query}`
    const headers = { cookie: visitor.jar.headerFor(url) }
    // As many as one address may leave open.
    for (let count = 0; count < 100; count += 1) {
      await new Promise<void>((resolve) => {
        const leaving = request(url, { headers })
        leaving.on('error', () => undefined)
        leaving.on('finish', () => setImmediate(() => leaving.destroy()))
        leaving.on('close', resolve)
        leaving.end()
      })
    }
    await expect
      .poll(() => log.with('request').filter(({ path }) => path === pathname).length)
      .toBeGreaterThan(100)
    const { response } = await visitor.authorize()
    expect(response.status).toBe(303)
  })
})
