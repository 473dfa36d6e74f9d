// @module-tag whole

import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount, changePassword } from '../src/access/provider/accounts.ts'
import { startLocalServer, type LocalServer } from './local-server.ts'
import { startTestServer } from './server.ts'
import type { Visitor } from './sign-in.ts'

const made = { username: 'ada', password: 'made-up-for-ada' }
const own = 'analytical engine'

let server: LocalServer
let visitor: Visitor
/** The page of a sign-in that is under way. */
let page: string

beforeEach(async () => {
  server = await startLocalServer()
  await server.database.use((store) => addAccount(store, { ...made, mustChange: true }))
  visitor = server.visitor()
  page = (await visitor.authorize()).location
})

afterEach(() => server.close())

const fieldIn = (text: string, name: string) =>
  new RegExp(`name="${name}"[^>]*?value="([^"]*)"`, 's').exec(text)?.[1] ?? ''

/** The hidden fields of the form that asks for another password. */
async function askedFor(response: Response) {
  const text = await response.text()
  expect(text).toContain('<h1>Choose a password</h1>')
  expect(text).not.toContain('<script')
  return { account: fieldIn(text, 'account'), ticket: fieldIn(text, 'ticket'), text }
}

const send = (form: Record<string, string>, { by = visitor, to = page } = {}) =>
  by.jar.fetch(to, { method: 'POST', body: new URLSearchParams(form) })

test('a password that was made up is changed at the first sign-in', async () => {
  const asked = await visitor.submit(page, made)
  expect(asked.status).toBe(200)
  const { account, ticket } = await askedFor(asked)
  const chosen = await send({ account, ticket, new_password: own, again: own })
  expect(chosen.status).toBe(303)
  const resumed = await visitor.jar.fetch(new URL(chosen.headers.get('location')!, page).href)
  expect(resumed.headers.get('location')).toContain('code=')

  const { access_token: token } = await server.visitor().signIn({ ...made, password: own })
  expect((await server.request('/api/dataset', { token })).status).toBe(200)
  const other = server.visitor()
  expect((await other.submit((await other.authorize()).location, made)).status).toBe(400)
})

test('instead of one that was made up, none is taken that cannot serve', async () => {
  const cases: [typed: string, again: string, sentence: string][] = [
    [own, 'yet another', 'The two passwords differ.'],
    ['short', 'short', 'A password has at least 8 characters.'],
    ['iloveyou', 'iloveyou', 'This password is among the most common ones'],
    [made.password, made.password, 'This is the password that you have'],
  ]
  let { account, ticket } = await askedFor(await visitor.submit(page, made))
  for (const [typed, again, sentence] of cases) {
    const refused = await send({ account, ticket, new_password: typed, again })
    expect(refused.status).toBe(400)
    const next = await askedFor(refused)
    expect(next.text).toContain(sentence)
    ;({ account, ticket } = next)
  }
  expect((await send({ account, ticket, new_password: own, again: own })).status).toBe(303)
})

test('only who has typed the password that was made up changes it, once, in that sign-in', async () => {
  const { account, ticket } = await askedFor(await visitor.submit(page, made))
  const choice = { account, ticket, new_password: own, again: own }
  const stranger = server.visitor()
  const to = (await stranger.authorize()).location
  expect((await send(choice, { by: stranger, to })).status).toBe(400)
  expect((await send(choice, { by: stranger })).status).toBe(400)
  expect((await send({ ...choice, ticket: 'guessed' })).status).toBe(400)
  expect((await send({ ...choice, account: 'guessed' })).status).toBe(400)
  // Two tabs of one browser: the later one finds that the password is another by now.
  expect((await send(choice)).status).toBe(303)
  expect((await send(choice)).status).toBe(400)
})

test('a password that an operator makes up later is changed as well, one that is given is not', async () => {
  await server.database.use((store) => changePassword(store, made))
  expect((await visitor.submit(page, made)).status).toBe(303)
  await server.database.use((store) => changePassword(store, { ...made, mustChange: true }))
  const again = server.visitor()
  await askedFor(await again.submit((await again.authorize()).location, made))
})

test('the password of the first account is changed where nobody has chosen it', async () => {
  const fresh = await startTestServer({ VITRINE_OIDC_AUTHORITY: '', VITRINE_OIDC_AUDIENCE: '' })
  const { accounts } = await fresh.database.use(async ({ reads }) => ({
    accounts: await reads.selectFrom('accounts').select(['name', 'must_change']).execute(),
  }))
  expect(accounts).toEqual([{ name: 'admin', must_change: 1 }])
  await fresh.close()
})
