import { UserManager } from 'oidc-client-ts'
import { expect, test } from 'vitest'
import { createSession } from '../src/auth/session.ts'
import { startTokenEndpoint } from './token-endpoint.ts'

async function signIn(expiresInSeconds = 300) {
  const endpoint = await startTokenEndpoint()
  const userManager = new UserManager(endpoint.settings)
  const session = createSession(userManager)
  const user = endpoint.signedIn(expiresInSeconds)
  await userManager.storeUser(user)
  return { endpoint, userManager, session, user }
}

test('a 401 renews once, however many calls it hits, and their next token waits for it', async () => {
  const { endpoint, session } = await signIn()
  session.unauthorized()
  session.unauthorized()
  expect(await session.token()).toBe('access-1')
  expect(endpoint.renewals).toBe(1)
  expect(session.state).toBe('current')
})

test('a 401 whose token cannot be renewed ends the session, and nothing more is asked', async () => {
  const { endpoint, session } = await signIn()
  endpoint.endSessions()
  let told = 0
  session.subscribe(() => (told += 1))
  session.unauthorized()
  await expect.poll(() => session.state).toBe('refused')
  session.unauthorized()
  expect(await session.token()).toBe('access-0')
  expect(endpoint.renewals).toBe(1)
  expect(told).toBe(1)
})

test('a token that ran out is renewed', async () => {
  const { endpoint, session, userManager, user } = await signIn(-5)
  await userManager.events.load(user)
  await expect.poll(() => session.token()).toBe('access-1')
  expect(endpoint.renewals).toBe(1)
  expect(session.state).toBe('current')
})

test('a token that ran out and cannot be renewed is told of, until there is a new one', async () => {
  const { endpoint, session, userManager, user } = await signIn(-5)
  endpoint.endSessions()
  await userManager.events.load(user)
  await expect.poll(() => session.state).toBe('expired')
  await userManager.events.load(endpoint.signedIn(300))
  expect(session.state).toBe('current')
})

test('a page is held until every hold is released', async () => {
  const { session } = await signIn()
  const first = session.hold()
  const second = session.hold()
  first()
  expect(session.held).toBe(true)
  second()
  expect(session.held).toBe(false)
})
