import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, changePassword, removeAccount } from '../src/access/provider/accounts.ts'
import { stateAdapter } from '../src/access/provider/state-adapter.ts'
import { endSessions } from '../src/store/provider.ts'
import { admin, startLocalServer, type LocalServer } from './local-server.ts'
import type { Tokens, Visitor } from './sign-in.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const other = 'another password, longer'

let server: LocalServer
let visitor: Visitor
let tokens: Tokens

beforeEach(async () => {
  server = await startLocalServer()
  visitor = server.visitor()
  visitor.jar.userAgent = firefox
  tokens = await visitor.signIn(admin)
})

afterEach(() => server.close())

const open = async (by = visitor, query = '') => {
  const response = await by.jar.fetch(`${by.issuer}/account${query}`)
  return { response, text: await response.text() }
}

const tokenIn = (text: string) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''

const post = async (path: string, form: Record<string, string>, by = visitor) => {
  const token = tokenIn((await open(by)).text)
  const body = new URLSearchParams({ token, ...form })
  return by.jar.fetch(`${by.issuer}/account/${path}`, { method: 'POST', body })
}

const change = (current: string, wanted = other, again = wanted) =>
  post('password', { current_password: current, new_password: wanted, again })

/** Whether the page of a sign-in still leads to the app without a password. */
const isSignedIn = async (by: Visitor) =>
  (await by.authorize({ prompt: 'none' })).location.includes('code=')

const apiStatus = async (token: string) => (await server.request('/api/dataset', { token })).status

async function elsewhere(userAgent = safari): Promise<{ by: Visitor; tokens: Tokens }> {
  const by = server.visitor()
  by.jar.userAgent = userAgent
  return { by, tokens: await by.signIn(admin) }
}

/** Sessions that the buttons of the list end. */
const endable = (text: string) =>
  [...text.matchAll(/name="end"\s+value="([^"]+)"\s+aria-label="End ([^"]+), signed in/g)].map(
    ([, id = '', name = '']) => ({ id, name }),
  )

test('it is announced, works without scripts, and says who is signed in where', async () => {
  const config = await (await server.request('/config.json')).json()
  expect(config).toMatchObject({ features: expect.arrayContaining(['account']) })
  await elsewhere()
  const { response, text } = await open()
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(text).not.toContain('<script')
  expect(text).toContain('You are signed in as <strong>admin</strong>')
  expect(text).toMatch(/<strong>Firefox on Windows<\/strong> \(this one\)/)
  expect(endable(text).map(({ name }) => name)).toEqual(['Safari on iOS'])
})

test('nobody sees it who is not signed in', async () => {
  const stranger = server.visitor()
  const { response, text } = await open(stranger)
  expect(response.status).toBe(403)
  expect(text).toContain('You are not signed in')
  for (const path of ['password', 'sessions']) {
    expect((await post(path, { end: 'others' }, stranger)).status).toBe(403)
  }
  await server.database.use((store) => removeAccount(store, admin.username))
  expect((await open()).response.status).toBe(403)
})

test('a form without the token of its own session is refused with 403', async () => {
  const { by } = await elsewhere()
  const foreign = tokenIn((await open(by)).text)
  for (const token of ['', 'guessed', foreign]) {
    expect((await post('sessions', { end: 'others', token })).status).toBe(403)
    expect((await post('password', { current_password: admin.password, token })).status).toBe(403)
  }
  const { status } = await visitor.jar.fetch(`${visitor.issuer}/account/sessions?end=others`)
  expect(status).not.toBe(303)
  expect(await isSignedIn(by)).toBe(true)
})

describe('the password', () => {
  test('is changed with the current one, which ends all sessions but this one', async () => {
    const far = await elsewhere()
    const changed = await change(admin.password)
    expect(changed.status).toBe(303)
    const { text } = await open(visitor, '?done=password')
    expect(text).toContain('The password is changed. All other sessions have ended.')
    expect(endable(text)).toEqual([])
    for (const query of ['?done=constructor', '?done=__proto__', '?done=password&done=session']) {
      const { response, text: page } = await open(visitor, query)
      expect(response.status).toBe(200)
      expect(page).not.toContain('role="status"')
    }

    expect(await apiStatus(far.tokens.access_token)).toBe(401)
    expect((await far.by.refresh(far.tokens.refresh_token)).status).toBe(400)
    expect(await isSignedIn(far.by)).toBe(false)
    expect(await apiStatus(tokens.access_token)).toBe(200)
    expect((await visitor.refresh(tokens.refresh_token)).status).toBe(200)
    expect(await isSignedIn(visitor)).toBe(true)

    const again = server.visitor()
    const { location } = await again.authorize()
    expect((await again.submit(location, admin)).status).toBe(400)
    expect((await again.submit(location, { ...admin, password: other })).status).toBe(303)
  })

  test('is not changed without the current one, or to a weak, mistyped or identical one', async () => {
    const far = await elsewhere()
    const cases: [current: string, wanted: string, again: string, sentence: string][] = [
      ['not this one', other, other, 'This is not the current password.'],
      [admin.password, other, 'yet another one', 'The two passwords differ.'],
      [admin.password, 'short', 'short', 'A password has at least 8 characters.'],
      [admin.password, 'iloveyou', 'iloveyou', 'among the most common ones'],
      ...['adminadmin', 'Admin2026', '123nimda', 'vitrine!', 'ViTrine-admin'].map(
        (guessed): [string, string, string, string] => [
          admin.password,
          guessed,
          guessed,
          'little more than the username',
        ],
      ),
      [admin.password, admin.password, admin.password, 'This is the password that you have'],
    ]
    for (const [current, wanted, again, sentence] of cases) {
      const refused = await change(current, wanted, again)
      expect(refused.status).toBe(400)
      const text = await refused.text()
      expect(text).toContain(sentence)
      expect(text).toContain('role="alert"')
    }
    expect(await isSignedIn(far.by)).toBe(true)
    const { location } = await visitor.authorize({ prompt: 'login' })
    expect((await visitor.submit(location, admin)).status).toBe(303)
  })

  test('guessing it is slowed down as at sign-in', async () => {
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, n) => change(`guess ${n}`)))
    const throttled = statuses.find(({ status }) => status === 429)
    expect(Number(throttled?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await throttled?.text()).toContain('Too many attempts. Try again in')
    const counted = await server.database.use(({ reads }) =>
      reads.selectFrom('sign_in_attempts').select('subject').execute(),
    )
    const kinds = new Set(counted.map(({ subject }) => subject.split(' ')[0]))
    expect(kinds).toEqual(new Set(['address', 'browser']))
  })
})

describe('sessions', () => {
  test('one is ended, with its tokens', async () => {
    const [one, two] = [await elsewhere(), await elsewhere(firefox)]
    const listed = endable((await open()).text)
    const id = listed.find(({ name }) => name.startsWith('Safari'))?.id ?? ''
    expect((await post('sessions', { end: id })).status).toBe(303)
    expect(await apiStatus(one.tokens.access_token)).toBe(401)
    expect((await one.by.refresh(one.tokens.refresh_token)).status).toBe(400)
    expect(await isSignedIn(one.by)).toBe(false)
    expect(await apiStatus(two.tokens.access_token)).toBe(200)
    expect(await isSignedIn(two.by)).toBe(true)
    const { text } = await open(visitor, '?done=session')
    expect(text).toContain('The session has ended.')
    expect(endable(text).map(({ name }) => name)).toEqual(['Firefox on Windows'])
    expect((await post('sessions', { end: id })).status).toBe(303)
  })

  test("nobody ends another account's", async () => {
    const bob = { username: 'bob', password: 'bob has a password' }
    await server.database.use((store) => addAccount(store, bob))
    const his = server.visitor()
    const { access_token } = await his.signIn(bob)
    await elsewhere()
    const [{ id } = { id: '' }] = endable((await open()).text)
    await post('sessions', { end: id }, his)
    await post('sessions', { end: 'others' }, his)
    expect(endable((await open()).text)).toHaveLength(1)
    await post('sessions', { end: 'others' })
    expect(await apiStatus(access_token)).toBe(200)
  })

  test('the command line is one of its own, and all others end at once', async () => {
    const far = await elsewhere()
    const cli = server.visitor()
    cli.jar.userAgent = safari
    const redirect_uri = 'http://127.0.0.1:41234/callback'
    const { location, verifier } = await cli.authorize({ client_id: 'vitrine-cli', redirect_uri })
    const submitted = await cli.submit(location, admin)
    const resumed = await cli.jar.fetch(new URL(submitted.headers.get('location')!, location).href)
    const code = new URL(resumed.headers.get('location')!).searchParams.get('code')!
    const response = await cli.post('token', {
      client_id: 'vitrine-cli',
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier: verifier,
    })
    const program = (await response.json()) as Tokens
    const names = endable((await open()).text).map(({ name }) => name)
    expect(names.toSorted()).toEqual([
      'Command line, signed in with Safari on iOS',
      'Safari on iOS',
      'Safari on iOS',
    ])
    expect((await post('sessions', { end: 'others' })).status).toBe(303)
    const statuses = [far.tokens, program, tokens].map((each) => apiStatus(each.access_token))
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
    const { text } = await open()
    expect(endable(text)).toEqual([])
    expect(text).not.toContain('End all others')
  })

  test('none comes back by a request that was under way when it was ended', async () => {
    await server.database.use(async (store) => {
      const { id, payload, account_id } = await store.reads
        .selectFrom('provider_state')
        .select(['id', 'payload', 'account_id'])
        .where('kind', '=', 'Session')
        .where('account_id', 'is not', null)
        .executeTakeFirstOrThrow()
      await store.write((transaction) => endSessions(transaction, { accountId: account_id! }))
      await stateAdapter(store, (find) => find())('Session').upsert(id, JSON.parse(payload), 3600)
    })
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('a user agent with markup is shown as an unknown browser', async () => {
    await elsewhere('"><script>x</script>')
    const { text } = await open()
    expect(text).not.toContain('<script')
    expect(endable(text).map(({ name }) => name)).toEqual(['Unknown browser'])
  })

  test('they are listed as they were before there were names of browsers', async () => {
    await server.database.use((store) =>
      store.write((transaction) =>
        transaction.deleteFrom('provider_state').where('kind', '=', 'SignedInBrowser').execute(),
      ),
    )
    expect((await open()).text).toMatch(/<strong>Unknown browser<\/strong> \(this one\)/)
    await server.database.use((store) => changePassword(store, { ...admin, password: other }))
    expect((await open()).response.status).toBe(403)
  })
})
