import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, changePassword, removeAccount } from '../src/access/provider/accounts.ts'
import type { Store } from '../src/store/store.ts'
import { admin, type LocalServer, startLocalServer } from './local-server.ts'
import type { Tokens, Visitor } from './sign-in.ts'

let server: LocalServer
let store: Store
let visitor: Visitor

beforeAll(async () => {
  server = await startLocalServer({}, { restarts: true })
  // As another process does: the command line changes accounts while the server runs.
  store = await server.database.open()
})
afterAll(async () => {
  await store.close()
  await server.close()
})
beforeEach(() => {
  visitor = server.visitor()
})

/** Returns the result of a silent sign-in: `code`, or the error. */
async function silently(): Promise<string | null> {
  const { location } = await visitor.authorize({ prompt: 'none' })
  const { searchParams } = new URL(location)
  return searchParams.has('code') ? 'code' : searchParams.get('error')
}

const apiStatus = async (token: string) => (await server.request('/api/dataset', { token })).status

test('a browser with a session is signed in without asking', async () => {
  await visitor.signIn(admin)
  expect(await silently()).toBe('code')
  const { location } = await visitor.authorize()
  expect(new URL(location).searchParams.has('code')).toBe(true)
})

test('a restart signs nobody out', async () => {
  const tokens = await visitor.signIn(admin)
  const underWay = server.visitor()
  const { location } = await underWay.authorize()
  await server.restart()

  expect(await apiStatus(tokens.access_token)).toBe(200)
  expect(await silently()).toBe('code')
  const refreshed = await visitor.refresh(tokens.refresh_token)
  expect(refreshed.status).toBe(200)
  const { access_token } = (await refreshed.json()) as Tokens
  expect(await apiStatus(access_token)).toBe(200)
  // A sign-in page that was open goes on as well.
  expect((await underWay.submit(location, admin)).status).toBe(303)
})

describe('an account', () => {
  const alice = { username: 'alice', password: 'alice has a password' }

  test('removed, takes its sessions and tokens with it', async () => {
    await addAccount(store, alice)
    const { access_token, refresh_token } = await visitor.signIn(alice)
    await removeAccount(store, 'alice')

    expect(await silently()).toBe('login_required')
    expect((await visitor.refresh(refresh_token)).status).toBe(400)
    expect(await apiStatus(access_token)).toBe(401)
    const { location } = await visitor.authorize()
    expect((await visitor.submit(location, alice)).status).toBe(400)
  })

  test('made again under the same name is another one', async () => {
    const subject = async (token: string) => {
      const response = await fetch(`${visitor.issuer}/me`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return ((await response.json()) as { sub: string }).sub
    }
    await addAccount(store, alice)
    const first = await subject((await visitor.signIn(alice)).access_token)
    await removeAccount(store, 'alice')
    await addAccount(store, alice)
    visitor = server.visitor()
    expect(await subject((await visitor.signIn(alice)).access_token)).not.toBe(first)
    await removeAccount(store, 'alice')
  })

  test('with another password ends what began with the old one, and begins anew', async () => {
    await addAccount(store, alice)
    const { refresh_token } = await visitor.signIn(alice)
    const changed = { ...alice, password: 'alice has another one' }
    await changePassword(store, changed)

    expect(await silently()).toBe('login_required')
    expect((await visitor.refresh(refresh_token)).status).toBe(400)
    const { location } = await visitor.authorize()
    expect((await visitor.submit(location, alice)).status).toBe(400)
    const { access_token } = await visitor.signIn(changed)
    expect(await apiStatus(access_token)).toBe(200)
    await removeAccount(store, 'alice')
  })

  test('is found regardless of the case of its name', async () => {
    await addAccount(store, { ...alice, username: ' Alice' })
    expect(await visitor.signIn({ ...alice, username: 'ALICE ' })).toHaveProperty('access_token')
    await removeAccount(store, 'alice')
  })
})

describe('sign-out', () => {
  test('asked for by the app happens at once, and leads back to it', async () => {
    const { id_token, refresh_token } = await visitor.signIn(admin)
    const { text, location } = await visitor.signOut({
      id_token_hint: id_token,
      post_logout_redirect_uri: `${server.publicUrl}/`,
      state: 'some-state',
    })
    expect(text).toContain('/realms/local/assets/sign-out.js')
    expect(location).toBe(`${server.publicUrl}/?state=some-state`)
    expect(await silently()).toBe('login_required')
    expect((await visitor.refresh(refresh_token)).status).toBe(400)
  })

  test('without an ID token has to be confirmed', async () => {
    await visitor.signIn(admin)
    const { text, location } = await visitor.signOut({})
    expect(text).not.toContain('<script')
    expect(text).toContain('Sign out of Vitrine?')
    expect(location).toBe(`${visitor.issuer}/session/end/success`)
    const done = await visitor.jar.fetch(location ?? '')
    expect(await done.text()).toContain('You are signed out')
  })

  test("with somebody else's hint has to be confirmed", async () => {
    const other = await server.visitor().signIn(admin)
    await addAccount(store, { username: 'bob', password: 'bob has a password' })
    await visitor.signIn({ username: 'bob', password: 'bob has a password' })
    const { text } = await visitor.signOut({ id_token_hint: other.id_token })
    expect(text).not.toContain('<script')
    await removeAccount(store, 'bob')
  })

  test('does not happen without the form', async () => {
    await visitor.signIn(admin)
    const forged = await visitor.jar.fetch(`${visitor.issuer}/session/end/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf: 'guessed', logout: 'yes' }),
    })
    expect(forged.status).toBe(400)
    expect(await silently()).toBe('code')
  })
})
