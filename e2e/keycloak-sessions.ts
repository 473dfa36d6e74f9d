import { expect, type BrowserContext, type Page } from '@playwright/test'
import { countRenewals } from './count-renewals.ts'
import { keycloak, signIn, test } from './keycloak-app.ts'
import type { LaunchedServer } from './launch-server.ts'
import { measureEnding } from './measure-ending.ts'
import { storedUser } from './sign-in.ts'

/** Lives of access tokens in seconds at which six tabs are measured: `KEYCLOAK_LIVES=30,60,300` for all. */
const lives = (process.env['KEYCLOAK_LIVES'] ?? '30').split(',').map(Number)

/** By how much the server's clock may be ahead of Keycloak's. */
const tolerance = 10

let people = 0

/** Somebody new, as some are removed; signed in, in that many tabs. */
async function openTabs(
  page: Page,
  { context, server, count }: { context: BrowserContext; server: LaunchedServer; count: number },
): Promise<{ tabs: Page[]; username: string }> {
  people += 1
  const who = { username: `tabs-${process.pid}-${people}`, password: 'correct horse battery' }
  await keycloak.addUser(who)
  await signIn(page, server, who)
  const tabs = [page]
  while (tabs.length < count) {
    const tab = await context.newPage()
    await tab.goto(server.url)
    await expect(tab.getByRole('heading', { name: 'Datasets' })).toBeVisible()
    tabs.push(tab)
  }
  return { tabs, username: who.username }
}

for (const life of [30, 60, 300]) {
  test(`Keycloak's tokens of ${life} s are renewed once in their life, in each of two tabs`, async ({
    page,
    context,
    server,
  }) => {
    await keycloak.setRealm({ accessTokenLifespan: life })
    await context.clock.install()
    const { tabs } = await openTabs(page, { context, server, count: 2 })
    expect(await countRenewals(context, { seconds: 2 * life - 5, clickEvery: life / 6 })).toEqual([
      2, 2,
    ])
    for (const tab of tabs) await expect(tab.getByRole('alert')).toBeHidden()
  })
}

type Ending = (session: { tabs: Page[]; username: string }) => Promise<unknown>

const endings: { name: string; end: Ending }[] = [
  {
    name: 'logout, here and in another tab',
    end: async ({ tabs: [first] }) => {
      await first!.getByRole('button', { name: 'Logout' }).click()
      await first!.waitForRequest((request) => request.url().includes('/logout'))
    },
  },
  { name: 'ended at Keycloak', end: ({ username }) => keycloak.endSessions(username) },
  { name: 'account removed', end: ({ username }) => keycloak.removeUser(username) },
]

for (const life of lives) {
  for (const { name, end } of endings) {
    test(`six tabs at Keycloak, tokens of ${life} s, ${name}: all say so`, async ({
      page,
      context,
      server,
    }) => {
      test.setTimeout(180_000 + life * 2000)
      await keycloak.setRealm({ accessTokenLifespan: life })
      const { tabs, username } = await openTabs(page, { context, server, count: 6 })
      const tokens = await Promise.all(
        tabs.map(async (tab) => (await storedUser(tab)).access_token),
      )
      const { line, answeredUntil } = await measureEnding(tabs, {
        name: `Keycloak, tokens of ${life} s, ${name}`,
        tokens,
        url: server.url,
        end: () => end({ tabs, username }),
        withinSeconds: 60 + life,
      })
      process.stdout.write(`${line}\n`)
      // They live on until they run out: Keycloak tells nobody of what it ended.
      expect(answeredUntil).toBeLessThan(life + tolerance)
    })
  }
}
