// @module-tag whole

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { AccountError, addAccount, changePassword } from '../src/access/provider/accounts.ts'
import { addressPrefix } from '../src/access/provider/sign-in-throttle.ts'
import { OpenSignIns } from '../src/access/provider/open-sign-ins.ts'
import { passwordCost, usualCost } from '../src/access/provider/passwords.ts'
import { findAccountNamed } from '../src/store/accounts.ts'
import { ConfigError, readConfig, startServer } from '../src/start.ts'
import { admin, startLocalServer, type LocalServer } from './local-server.ts'
import { Visitor } from './sign-in.ts'

let server: LocalServer

describe('on http', () => {
  beforeEach(async () => {
    server = await startLocalServer()
  })

  afterEach(() => server.close())

  test.for(['password', '12345678', 'iloveyou', 'PassWord', 'Password1'])(
    'the common password %s is refused',
    async (password) => {
      await server.database.use(async (store) => {
        const common = /^This password is among the most common ones/
        await expect(addAccount(store, { username: 'ada', password })).rejects.toThrow(common)
        await expect(changePassword(store, { ...admin, password })).rejects.toThrow(common)
      })
    },
  )

  test(
    'a password is kept by scrypt, at the cost that OWASP asks for, and opens',
    { tags: 'long' },
    async () => {
      const { logN } = passwordCost
      onTestFinished(() => void Object.assign(passwordCost, { logN }))
      Object.assign(passwordCost, usualCost)
      const ada = { username: 'ada', password: 'analytical engine' }
      const kept = await server.database.use(async (store) => {
        await addAccount(store, ada)
        return findAccountNamed(store.reads, 'ada')
      })
      expect(kept?.password).toMatch(/^scrypt\$17\$8\$1\$/)
      expect(await server.visitor().signIn(ada)).toHaveProperty('access_token')
    },
  )

  test('the username is no password', async () => {
    await server.database.use(async (store) => {
      const account = { username: 'ada.lovelace', password: 'Ada.Lovelace' }
      await expect(addAccount(store, account)).rejects.toThrow(AccountError)
    })
  })

  /** Subjects that failures are counted by; addresses aside. */
  const throttled = () =>
    server.database.use(async ({ reads }) => {
      const rows = await reads.selectFrom('sign_in_attempts').select('subject').execute()
      return rows.map(({ subject }) => subject).filter((subject) => !subject.startsWith('address'))
    })

  test('failed sign-ins elsewhere do not lock out a browser that has signed in before', async () => {
    const own = server.visitor()
    await own.signIn(admin)
    const never = Date.now() + 86_400_000
    const failed = { subject: 'account admin', failures: 50, retry_at: never, forget_at: never }
    await server.database.use((store) =>
      store.write((transaction) =>
        transaction.insertInto('sign_in_attempts').values(failed).execute(),
      ),
    )
    const stranger = server.visitor()
    const { location } = await stranger.authorize()
    expect((await stranger.submit(location, admin)).status).toBe(429)

    const again = await own.authorize({ prompt: 'login' })
    expect((await own.submit(again.location, admin)).status).toBe(303)
  })

  test('a browser that is known is counted itself, and only at its account', async () => {
    await server.database.use((store) =>
      addAccount(store, { username: 'ada', password: 'analytical engine' }),
    )
    const own = server.visitor()
    await own.signIn(admin)
    const { location } = await own.authorize({ prompt: 'login' })
    await own.submit(location, { username: 'admin', password: 'not this one' })
    expect(await throttled()).toEqual([expect.stringMatching(/^browser [\w-]{22}$/)])
    await own.submit(location, { username: 'ada', password: 'not this one' })
    expect(await throttled()).toContain('account ada')
  })

  test('a client cannot take back the access token of another', async () => {
    const visitor = server.visitor()
    const { access_token: token } = await visitor.signIn(admin)
    const works = async () => (await server.request('/api/dataset', { token })).status
    const revoke = (client: string) =>
      visitor.post('token/revocation', { token, client_id: client })
    expect((await revoke('vitrine-cli')).status).toBe(200)
    expect(await works()).toBe(200)
    expect((await revoke('vitrine')).status).toBe(200)
    expect(await works()).toBe(401)
  })

  test('sign-ins that are begun and left open are bounded', async () => {
    const visitor = server.visitor()
    const kept = () =>
      server.database.use(async ({ reads }) => {
        const { count } = await reads
          .selectFrom('provider_state')
          .select((row) => row.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        return count
      })
    const begin = async () => (await new Visitor(server.publicUrl).authorize()).response
    await visitor.signIn(admin)
    const statuses = new Set<number>()
    for (let round = 0; round < 13; round += 1) {
      const responses = await Promise.all(Array.from({ length: 10 }, begin))
      for (const { status } of responses) statuses.add(status)
    }
    expect(statuses).toEqual(new Set([303, 429]))
    expect(await kept()).toBeLessThan(220)
    const refused = await begin()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.text()).toContain('Too many sign-ins were begun from here; try again in')
  })

  test('completed sign-ins are not rate limited', async () => {
    const visitor = server.visitor()
    await visitor.signIn(admin)
    for (let round = 0; round < 12; round += 1) {
      const silent = Array.from({ length: 10 }, () => visitor.authorize({ prompt: 'none' }))
      for (const { location } of await Promise.all(silent)) expect(location).toContain('code=')
    }
  })
})

test('a session ends 30 days after sign-in, however much it is used', async () => {
  server = await startLocalServer()
  const visitor = server.visitor()
  await visitor.signIn(admin)
  const days = 24 * 3600_000
  const session = () =>
    server.database.use(({ reads }) =>
      reads
        .selectFrom('provider_state')
        .select(['id', 'payload', 'expires_at'])
        .where('kind', '=', 'Session')
        .where('account_id', 'is not', null)
        .executeTakeFirstOrThrow(),
    )
  const { id, payload, expires_at: first } = await session()
  expect((first - Date.now()) / days).toBeCloseTo(14, 1)
  // As if the sign-in had been 29 days ago.
  const known = JSON.parse(payload) as { loginTs: number }
  const older = JSON.stringify({ ...known, loginTs: known.loginTs - 29 * 86_400 })
  await server.database.use((store) =>
    store.write((transaction) =>
      transaction
        .updateTable('provider_state')
        .set({ payload: older })
        .where('kind', '=', 'Session')
        .where('id', '=', id)
        .execute(),
    ),
  )
  expect((await visitor.authorize({ prompt: 'none' })).location).toContain('code=')
  expect(((await session()).expires_at - Date.now()) / days).toBeCloseTo(1, 1)
  await server.close()
})

test('cookies are bound to the host on https', async () => {
  server = await startLocalServer({ VITRINE_PUBLIC_URL: 'https://vitrine.example' })
  const query = new URLSearchParams({
    client_id: 'vitrine',
    redirect_uri: 'https://vitrine.example/',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const cookies: string[] = []
  const follow = async (address: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(address, 'https://vitrine.example')
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    const headers = { cookie }
    const path = `${pathname}${search}`
    const response = await server.request(path, { ...init, headers, token: null })
    expect(response.status).toBe(303)
    cookies.push(...response.headers.getSetCookie())
    return response.headers.get('location')!
  }
  const page = await follow(`/realms/local/auth?${query}`)
  const resumed = await follow(page, { method: 'POST', body: new URLSearchParams(admin) })
  expect(await follow(resumed)).toMatch(/^https:\/\/vitrine\.example\/\?code=/)
  const names = new Set(cookies.map((cookie) => cookie.split('=')[0]!.replace(/\.sig$/, '')))
  expect(names).toEqual(
    new Set([
      '__Secure-vitrine_interaction',
      '__Secure-vitrine_resume',
      '__Host-vitrine_known_browser',
      '__Host-vitrine_session',
    ]),
  )
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; secure/i)
    expect(cookie).not.toMatch(/; domain=/i)
    if (cookie.startsWith('__Host-')) expect(cookie).toMatch(/; path=\/(;|$)/i)
  }
  await server.close()
})

test('a common VITRINE_ADMIN_PASSWORD stops the start with a sentence', async () => {
  const other = await startLocalServer()
  const settings = {
    VITRINE_PORT: '0',
    VITRINE_DATA_DIR: `${other.dataDir}/other`,
    VITRINE_LOG_LEVEL: 'silent',
    VITRINE_ADMIN_PASSWORD: 'password',
  }
  const started = startServer(readConfig(settings))
  await expect(started).rejects.toThrow(ConfigError)
  await expect(started).rejects.toThrow('VITRINE_ADMIN_PASSWORD: This password is among the most')
  await other.close()
})

test.for([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
] as const)('the throttles count %s as %s', ([address, prefix]) => {
  expect(addressPrefix(address)).toBe(prefix)
})

test('an open sign-in is forgotten in time, one after the other', () => {
  let milliseconds = 0
  const open = new OpenSignIns(() => milliseconds)
  for (let count = 0; count < 100; count += 1) expect(open.begin('here')).toBe(0)
  expect(open.begin('here')).toBe(36)
  expect(open.begin('there')).toBe(0)
  milliseconds = 35_500
  expect(open.begin('here')).toBe(1)
  milliseconds = 36_000
  expect(open.begin('here')).toBe(0)
  expect(open.begin('here')).toBe(36)
  open.end('here')
  expect(open.begin('here')).toBe(0)
})
