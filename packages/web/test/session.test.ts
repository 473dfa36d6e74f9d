import { UserManager } from 'oidc-client-ts'
import { describe, expect, test } from 'vitest'
import { createSession, type Session } from '../src/auth/session.ts'
import { memoryStorage } from './memory-storage.ts'
import { createTestClock } from './test-clock.ts'
import { startTokenEndpoint } from './token-endpoint.ts'

/** A tab with a user whose token lives for so many seconds, and so do those that renewals give. */
async function signIn({ life = 300, timeout = 10 } = {}) {
  const clock = createTestClock()
  const endpoint = await startTokenEndpoint({ expiresIn: life })
  const userManager = new UserManager({
    ...endpoint.settings,
    silentRequestTimeoutInSeconds: timeout,
  })
  const others = { ended: false, doubts: 0, onEnd: () => {}, onDoubt: () => {} }
  const session = createSession({
    userManager,
    browserSession: {
      hasEnded: () => others.ended,
      join: () => {},
      doubt: () => (others.doubts += 1),
      listen: (listeners) => Object.assign(others, listeners),
    },
    clock,
    storage: memoryStorage(),
  })
  await userManager.storeUser(endpoint.signedIn(life))
  await session.resume()
  return { clock, endpoint, userManager, session, others }
}

/** Resolves when a renewal that is under way has ended. */
function settled(session: Session): Promise<void> {
  if (session.state !== 'renewing') return Promise.resolve()
  return new Promise((resolve) => {
    const stop = session.subscribe(() => {
      if (session.state === 'renewing') return
      stop()
      resolve()
    })
  })
}

test.for([30, 60, 300])(
  'a token of %i s is renewed once in its life, however many calls are made',
  async (life) => {
    const { clock, endpoint, session } = await signIn({ life })
    for (let second = 0; second < 2 * life - 5; second += 1) {
      clock.advance(1)
      await session.token()
      await settled(session)
      expect(session.state).toBe('signedIn')
    }
    expect(endpoint.renewals).toBe(2)
  },
)

test('a reload of the page does not postpone the renewal of a token', async () => {
  const { clock, endpoint, session, userManager } = await signIn({ life: 300 })
  clock.advance(200)
  await userManager.getUser()
  await session.resume()
  clock.advance(39)
  expect(endpoint.renewals).toBe(0)
  clock.advance(1)
  await settled(session)
  expect(endpoint.renewals).toBe(1)
})

test('a renewal that was denied is not tried again, and told of at once', async () => {
  const { clock, endpoint, session, others } = await signIn({ life: 60 })
  endpoint.endSessions()
  clock.advance(40)
  await settled(session)
  expect(session.state).toBe('expired')
  for (let second = 0; second < 75; second += 1) {
    clock.advance(1)
    await session.token()
  }
  expect(endpoint.renewals).toBe(1)
  expect(others.doubts).toBe(1)
})

test('a renewal that timed out is tried again after 5 s', async () => {
  const { clock, endpoint, session } = await signIn({ timeout: 0.2 })
  endpoint.hang()
  clock.advance(240)
  await settled(session)
  expect([session.state, endpoint.renewals]).toEqual(['signedIn', 1])
  clock.advance(4.9)
  expect(session.state).toBe('signedIn')
  endpoint.recover()
  clock.advance(0.1)
  expect(session.state).toBe('renewing')
  await settled(session)
  expect(await session.token()).toBe('access-2')
})

test('a provider that is down is asked at growing intervals, and found again', async () => {
  const { clock, endpoint, session } = await signIn({ life: 30 })
  endpoint.breakDown()
  clock.advance(20)
  await settled(session)
  const asked: number[] = []
  for (let second = 1; second < 10; second += 1) {
    clock.advance(1)
    await settled(session)
    asked.push(endpoint.renewals)
  }
  expect(asked).toEqual([2, 2, 3, 3, 3, 3, 4, 4, 4])
  expect(session.state).toBe('signedIn')
  clock.advance(1)
  expect(session.state).toBe('expired')
  endpoint.recover()
  await expect.poll(() => (clock.advance(1), session.state)).toBe('signedIn')
})

describe('while a renewal hangs', () => {
  test('calls are made with the token as long as it serves', async () => {
    const { clock, endpoint, session } = await signIn({ life: 60 })
    endpoint.hang()
    clock.advance(45)
    expect(await session.token()).toBe('access-0')
    // The library gives a renewal up after ten seconds, and the call would have waited for that.
    expect(session.state).toBe('renewing')
  })

  test('the end is told of by the clock, and calls go on once the renewal is given up', async () => {
    const { clock, endpoint, session } = await signIn({ life: 60 })
    endpoint.hang()
    clock.advance(60)
    expect(session.state).toBe('expired')
    let given: unknown
    const call = session.token().then((token) => (given = token))
    clock.advance(4)
    await new Promise(setImmediate)
    expect(given).toBeUndefined()
    clock.advance(1)
    await call
    expect(given).toBe('access-0')
  })
})

test('a 401 renews once, however many calls it hits, and their next token waits for it', async () => {
  const { endpoint, session } = await signIn()
  session.unauthorized()
  session.unauthorized()
  expect(await session.token()).toBe('access-1')
  expect(endpoint.renewals).toBe(1)
  expect(session.state).toBe('signedIn')
})

test('a 401 whose token cannot be renewed ends the session, and nothing more is asked', async () => {
  const { endpoint, session } = await signIn()
  endpoint.endSessions()
  session.unauthorized()
  await settled(session)
  expect(session.state).toBe('refused')
  session.unauthorized()
  expect(await session.token()).toBe('access-0')
  expect(endpoint.renewals).toBe(1)
})

test('a token that ran out is renewed', async () => {
  const { clock, endpoint, session, userManager } = await signIn()
  const user = endpoint.signedIn(-5)
  await userManager.storeUser(user)
  await userManager.events.load(user)
  clock.advance(0)
  await settled(session)
  expect(await session.token()).toBe('access-1')
  expect(endpoint.renewals).toBe(1)
  expect(session.state).toBe('signedIn')
})

test('a token that ran out and cannot be renewed is told of, until there is a new one', async () => {
  const { clock, endpoint, session, userManager } = await signIn()
  endpoint.endSessions()
  clock.advance(301)
  await settled(session)
  expect(session.state).toBe('expired')
  await userManager.events.load(endpoint.signedIn(300))
  expect(session.state).toBe('signedIn')
})

describe('another tab', () => {
  test('that signs out signs this tab out and removes its user', async () => {
    const { session, userManager, others } = await signIn()
    others.onEnd()
    expect(session.state).toBe('signedOutElsewhere')
    await expect.poll(() => userManager.getUser()).toBeNull()
  })

  test('that signs out during a renewal in this tab leaves it signed out, without a user', async () => {
    const { clock, session, userManager, others } = await signIn({ life: 60 })
    clock.advance(40)
    expect(session.state).toBe('renewing')
    others.ended = true
    await settled(session)
    expect(session.state).toBe('signedOutElsewhere')
    await expect.poll(() => userManager.getUser()).toBeNull()
  })

  test('whose renewal was denied makes this tab renew, unless it has already expired', async () => {
    const { endpoint, session, others } = await signIn()
    others.onDoubt()
    await settled(session)
    expect([session.state, endpoint.renewals]).toEqual(['signedIn', 1])
    endpoint.endSessions()
    others.onDoubt()
    await settled(session)
    others.onDoubt()
    expect([session.state, endpoint.renewals]).toEqual(['expired', 2])
  })
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
