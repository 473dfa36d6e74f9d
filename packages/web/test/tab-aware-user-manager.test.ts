import { UserManager } from 'oidc-client-ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { TabAwareUserManager } from '../src/auth/TabAwareUserManager.ts'
import { startTokenEndpoint } from './token-endpoint.ts'

/** Opens two tabs of which the second is a duplicate of the first: same user, same tokens. */
async function duplicateTab<T extends UserManager>(Manager: new (settings: Settings) => T) {
  const endpoint = await startTokenEndpoint()
  const tabs = [new Manager(endpoint.settings), new Manager(endpoint.settings)] as const
  for (const tab of tabs) await tab.storeUser(endpoint.signedIn(30))
  return { endpoint, tabs }
}
type Settings = ConstructorParameters<typeof UserManager>[0]

test('a refresh token that two tabs hold is used once, and both go on with what it gave', async () => {
  const { endpoint, tabs } = await duplicateTab(TabAwareUserManager)
  for (const tab of tabs) onTestFinished(tab.listen())
  const users = await Promise.all(tabs.map((tab) => tab.signinSilent()))
  expect(users.map((user) => user?.access_token)).toEqual(['access-1', 'access-1'])
  expect(endpoint.renewals).toBe(1)
})

test('also where the second tab hears of it late', async () => {
  const { postMessage } = BroadcastChannel.prototype
  const held: (() => void)[] = []
  BroadcastChannel.prototype.postMessage = function late(message) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it takes none
    held.push(() => postMessage.call(this, message))
  }
  onTestFinished(() => {
    BroadcastChannel.prototype.postMessage = postMessage
  })
  const { endpoint, tabs } = await duplicateTab(TabAwareUserManager)
  for (const tab of tabs) onTestFinished(tab.listen())
  const renewing = Promise.all(tabs.map((tab) => tab.signinSilent()))
  await expect.poll(() => held.length).toBe(1)
  // The second one has its turn.
  await expect.poll(async () => (await navigator.locks.query()).pending).toEqual([])
  for (const send of held) send()
  const users = await renewing
  expect(users.map((user) => user?.access_token)).toEqual(['access-1', 'access-1'])
  expect(endpoint.renewals).toBe(1)
})

test('with the UserManager of the library, the renewal of one of two tabs is refused', async () => {
  const { tabs } = await duplicateTab(UserManager)
  const [first, second] = await Promise.allSettled(tabs.map((tab) => tab.signinSilent()))
  expect(
    [first?.status, second?.status].map(String).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['fulfilled', 'rejected'])
})

test('a tab that was frozen while it renewed does not stop another', async () => {
  const endpoint = await startTokenEndpoint()
  const tab = new TabAwareUserManager(endpoint.settings, { turnMs: 50 })
  onTestFinished(tab.listen())
  await tab.storeUser(endpoint.signedIn(30))
  const thawed = Promise.withResolvers<void>()
  const frozen = navigator.locks.request('vitrine.renewal refresh-0', () => thawed.promise)
  const lost = expect(frozen).rejects.toMatchObject({ name: 'AbortError' })
  // The time that it listens for what another may have renewed.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const renewed = tab.signinSilent()
  await expect.poll(() => (vi.advanceTimersByTime(20), endpoint.renewals), { interval: 1 }).toBe(1)
  expect((await renewed)?.access_token).toBe('access-1')
  thawed.resolve()
  await lost
})

test('a tab that was frozen in its turn takes over what another renewed meanwhile', async () => {
  const endpoint = await startTokenEndpoint()
  const tab = new TabAwareUserManager(endpoint.settings)
  onTestFinished(tab.listen())
  await tab.storeUser(endpoint.signedIn(30))
  // oxlint-disable-next-line no-restricted-globals -- it is the clock that the test moves
  const { performance } = globalThis
  const realNow = performance.now.bind(performance)
  let frozenMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + frozenMs)
  onTestFinished(() => clock.mockRestore())
  const renewing = tab.signinSilent()
  await expect.poll(async () => (await navigator.locks.query()).held).toHaveLength(1)
  frozenMs = 60_000
  const looks = clock.mock.calls.length
  await expect.poll(() => clock.mock.calls.length).toBeGreaterThan(looks + 4)
  expect(endpoint.renewals).toBe(0)

  const user = endpoint.signedIn(300)
  Object.assign(user, { access_token: 'access-other', refresh_token: 'refresh-other' })
  const channel = new BroadcastChannel('vitrine.renewal')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it takes none
  channel.postMessage({ refreshToken: 'refresh-0', user: user.toStorageString() })
  expect((await renewing)?.access_token).toBe('access-other')
  channel.close()
  expect(endpoint.renewals).toBe(0)
})

test('tabs that signed in for themselves do not wait for each other', async () => {
  const endpoint = await startTokenEndpoint()
  const tab = new TabAwareUserManager(endpoint.settings)
  onTestFinished(tab.listen())
  await tab.storeUser(endpoint.signedIn(30))
  const over = Promise.withResolvers<void>()
  const other = navigator.locks.request('vitrine.renewal another', () => over.promise)
  expect((await tab.signinSilent())?.access_token).toBe('access-1')
  over.resolve()
  await other
})
