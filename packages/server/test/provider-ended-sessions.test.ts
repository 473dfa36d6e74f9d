import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, changePassword, removeAccount } from '../src/access/provider/accounts.ts'
import type { Store } from '../src/store/store.ts'
import { admin, type LocalServer, startLocalServer } from './local-server.ts'
import type { Tokens, Visitor } from './sign-in.ts'

let server: LocalServer
let store: Store
let visitor: Visitor

beforeAll(async () => {
  server = await startLocalServer()
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

const status = async (token: string) => (await server.request('/api/dataset', { token })).status

/** Every token is used before its session ends: a check of a minute ago must not count. */
async function expectServing(...tokens: string[]): Promise<void> {
  for (const token of tokens) expect(await status(token)).toBe(200)
}

const signOut = ({ id_token }: Tokens) => visitor.signOut({ id_token_hint: id_token })

describe('access tokens end with their session', () => {
  test('when it is signed out, whatever the app revokes, those of every tab', async () => {
    const first = await visitor.signIn(admin)
    const silent = await visitor.authorize({ prompt: 'none' })
    const code = new URL(silent.location).searchParams.get('code') ?? ''
    const second = (await (await visitor.exchange(code, silent.verifier)).json()) as Tokens
    const renewed = (await (await visitor.refresh(second.refresh_token)).json()) as Tokens
    const all = [first, second, renewed].map(({ access_token }) => access_token)
    await expectServing(...all)
    await signOut(renewed)
    for (const token of all) expect(await status(token)).toBe(401)
  })

  test('while those of another browser, and of a later sign-in in this one, serve', async () => {
    const other = await server.visitor().signIn(admin)
    const ended = await visitor.signIn(admin)
    await expectServing(other.access_token, ended.access_token)
    await signOut(ended)
    expect(await status(ended.access_token)).toBe(401)
    const again = await visitor.signIn(admin)
    await expectServing(other.access_token, again.access_token)
  })

  test('when its refresh token is revoked', async () => {
    const { access_token, refresh_token } = await visitor.signIn(admin)
    await expectServing(access_token)
    const form = { client_id: 'vitrine', token: refresh_token, token_type_hint: 'refresh_token' }
    expect((await visitor.post('token/revocation', form)).status).toBe(200)
    expect(await status(access_token)).toBe(401)
  })

  test('when its account is removed', async () => {
    const alice = { username: 'alice', password: 'alice has a password' }
    await addAccount(store, alice)
    const { access_token } = await visitor.signIn(alice)
    await expectServing(access_token)
    await removeAccount(store, 'alice')
    expect(await status(access_token)).toBe(401)
  })

  test('when its password is changed, however soon after the sign-in', async () => {
    const bob = { username: 'bob', password: 'bob has a password' }
    await addAccount(store, bob)
    const before = await visitor.signIn(bob)
    await expectServing(before.access_token)
    const changed = { ...bob, password: 'bob has another one' }
    await changePassword(store, changed)
    expect(await status(before.access_token)).toBe(401)
    await expectServing((await visitor.signIn(changed)).access_token)
  })
})

describe('access tokens end', () => {
  test('when their code is used twice', async () => {
    const { code, verifier } = await visitor.code(admin)
    const { access_token } = (await (await visitor.exchange(code, verifier)).json()) as Tokens
    await expectServing(access_token)
    expect((await visitor.exchange(code, verifier)).status).toBe(400)
    expect(await status(access_token)).toBe(401)
  })

  test('when a refresh token of their session is used twice', async () => {
    const first = await visitor.signIn(admin)
    const second = (await (await visitor.refresh(first.refresh_token)).json()) as Tokens
    await expectServing(first.access_token, second.access_token)
    expect((await visitor.refresh(first.refresh_token)).status).toBe(400)
    for (const { access_token } of [first, second]) expect(await status(access_token)).toBe(401)
  })
})
