// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startRoundRobin, type RoundRobin } from '../../../tools/round-robin.ts'
import { readConfig, startServer, type RunningServer } from '../src/start.ts'
import { admin } from './local-server.ts'
import { patient } from './patient.ts'
import { Visitor, type Tokens } from './sign-in.ts'
import { createTestDatabase, isOnSqlite } from './test-database.ts'

// SQLite belongs to one process. Within this one, the servers share nothing but the database.
describe.skipIf(isOnSqlite)('the built-in provider of three servers', () => {
  let cleaning: AsyncDisposableStack
  let roundRobin: RoundRobin
  let visitor: Visitor
  let servers: RunningServer[]

  beforeAll(async () => {
    cleaning = new AsyncDisposableStack()
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-provider-'))
    cleaning.defer(() => rmSync(dataDir, { recursive: true }))
    const database = await createTestDatabase(dataDir)
    cleaning.defer(database.drop)
    roundRobin = await startRoundRobin()
    const env = {
      VITRINE_PORT: '0',
      VITRINE_PUBLIC_URL: `http://localhost:${roundRobin.port}`,
      VITRINE_DATA_DIR: dataDir,
      VITRINE_ADMIN_PASSWORD: admin.password,
      VITRINE_LOG_LEVEL: 'silent',
      ...database.env,
    }
    // At once: one of them makes the keys and the first account.
    servers = await Promise.all([1, 2, 3].map(() => startServer(readConfig(env), patient)))
    for (const { close } of servers) cleaning.defer(close)
    cleaning.defer(roundRobin.close)
    roundRobin.targets = servers.map(({ port }) => port)
  })

  afterAll(() => cleaning.disposeAsync())

  beforeEach(() => {
    visitor = new Visitor(`http://localhost:${roundRobin.port}`)
  })

  /** Returns the status of each server's reply to a request with an access token. */
  const statuses = (token: string, path: string) =>
    Promise.all(
      servers.map(async ({ port }) => {
        const headers = { authorization: `Bearer ${token}` }
        return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
      }),
    )

  test('has one set of keys and one first account', async () => {
    expect(servers.filter(({ firstAccount }) => firstAccount !== undefined)).toHaveLength(1)
    const keys = await Promise.all(
      servers.map(async ({ port }) =>
        (await fetch(`http://127.0.0.1:${port}/realms/local/jwks`)).text(),
      ),
    )
    expect(new Set(keys).size).toBe(1)
  })

  test('signs in, renews, tells, takes back and signs out, each step by another', async () => {
    const first = await visitor.signIn(admin)
    expect(await statuses(first.access_token, '/realms/local/me')).toEqual([200, 200, 200])
    expect(await statuses(first.access_token, '/api/dataset')).toEqual([200, 200, 200])

    const second = (await (await visitor.refresh(first.refresh_token)).json()) as Tokens
    const third = (await (await visitor.refresh(second.refresh_token)).json()) as Tokens
    expect(third.refresh_token).not.toBe(second.refresh_token)
    const silent = await visitor.authorize({ prompt: 'none' })
    expect(new URL(silent.location).searchParams.has('code')).toBe(true)

    for (const hint of ['access_token', 'refresh_token'] as const) {
      const form = { client_id: 'vitrine', token: third[hint], token_type_hint: hint }
      expect((await visitor.post('token/revocation', form)).status).toBe(200)
    }
    expect(await statuses(third.access_token, '/api/dataset')).toEqual([401, 401, 401])
    for (const _ of servers) expect((await visitor.refresh(third.refresh_token)).status).toBe(400)

    const { location } = await visitor.signOut({
      id_token_hint: third.id_token,
      post_logout_redirect_uri: `${visitor.publicUrl}/`,
    })
    expect(location).toBe(`${visitor.publicUrl}/`)
    for (const _ of servers) {
      const after = await visitor.authorize({ prompt: 'none' })
      expect(new URL(after.location).searchParams.get('error')).toBe('login_required')
    }
  })

  test('ends what came of a sign-in when a refresh token is used twice', async () => {
    const first = await visitor.signIn(admin)
    const second = (await (await visitor.refresh(first.refresh_token)).json()) as Tokens
    for (const _ of servers) expect((await visitor.refresh(first.refresh_token)).status).toBe(400)
    expect((await visitor.refresh(second.refresh_token)).status).toBe(400)
  })

  test('refuses access tokens everywhere once their session is signed out', async () => {
    const { access_token, id_token } = await visitor.signIn(admin)
    expect(await statuses(access_token, '/api/dataset')).toEqual([200, 200, 200])
    await visitor.signOut({ id_token_hint: id_token })
    expect(await statuses(access_token, '/api/dataset')).toEqual([401, 401, 401])
  })

  test('gives tokens once for a code and a refresh token that all are asked for', async () => {
    const { code, verifier } = await visitor.code(admin)
    const granted = (replies: Response[]) => replies.filter(({ status }) => status === 200).length
    const exchanges = servers.map(() => visitor.exchange(code, verifier))
    expect(granted(await Promise.all(exchanges))).toBeLessThanOrEqual(1)
    const { refresh_token } = await new Visitor(visitor.publicUrl).signIn(admin)
    const refreshes = servers.map(() => visitor.refresh(refresh_token))
    expect(granted(await Promise.all(refreshes))).toBeLessThanOrEqual(1)
  })

  test('counts failed sign-ins whichever server sees them', async () => {
    const { location } = await visitor.authorize()
    const wrong = { username: 'nobody-yet', password: 'wrong password' }
    const attempts = await Promise.all(
      Array.from({ length: 12 }, async () => (await visitor.submit(location, wrong)).status),
    )
    expect(attempts).toContain(429)
  })
})
