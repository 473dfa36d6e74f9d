import type { BrowserContext, Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import { endAtProvider } from './end-at-provider.ts'
import { admin, type LaunchedServer } from './launch-server.ts'
import { signIn, storedUser } from './sign-in.ts'

test.use(signedOut)

/** How a session ends, told its tabs; resolves when the end is acknowledged. */
type Ending = (session: {
  tabs: Page[]
  context: BrowserContext
  server: LaunchedServer
}) => Promise<unknown>

const logout: Ending = async ({ tabs: [first] }) => {
  await first!.getByRole('button', { name: 'Logout' }).click()
  await first!.waitForRequest((request) => request.url().includes('/session/end'))
}

const endings: { name: string; end: Ending }[] = [
  { name: 'logout, here and in another tab', end: logout },
  {
    name: 'ended at the provider',
    end: ({ context, server }) => endAtProvider(context, server),
  },
  {
    name: 'account removed',
    end: ({ server }) => server.user('remove', admin.username),
  },
]

/** A tab says so by a notice, by the screen of who signed out elsewhere, or by the provider's page. */
const saysSo = (tab: Page) =>
  tab
    .getByText(
      /Your sign-in has expired|does not accept your sign-in|You signed out in another tab/,
    )
    .or(tab.getByRole('textbox', { name: 'Password' }))

for (const { name, end } of endings) {
  test(`D3: six tabs, ${name}: all say so, and no call is answered`, async ({
    page,
    context,
    launch,
    console: watch,
  }) => {
    watch.expect(/status of 40[01]/)
    // Nobody touches the tabs: they find out by the next renewal, 20 s after the last at the latest.
    const server = await launch({ VITRINE_ACCESS_TOKEN_SECONDS: '30' })
    await signIn(page, server.url)
    const tabs = [page]
    while (tabs.length < 6) {
      const tab = await context.newPage()
      await tab.goto(server.url)
      await expect(tab.getByRole('heading', { name: 'Datasets' })).toBeVisible()
      tabs.push(tab)
    }
    const tokens = await Promise.all(tabs.map(async (tab) => (await storedUser(tab)).access_token))
    const began = performance.now()
    const seconds = () => ((performance.now() - began) / 1000).toFixed(1)
    const told = Promise.all(
      tabs.map(async (tab) => {
        await saysSo(tab).first().waitFor({ timeout: 60_000 })
        return seconds()
      }),
    )
    await end({ tabs, context, server })
    const ended = seconds()
    const statuses = await Promise.all(
      tokens.map(async (token) => {
        const headers = { authorization: `Bearer ${token}` }
        return (await fetch(`${server.url}/api/dataset`, { headers })).status
      }),
    )
    process.stdout.write(`${name}: ended at ${ended} s, told at ${(await told).join(', ')} s; `)
    process.stdout.write(`calls answered after: ${statuses.filter((each) => each < 400).length}\n`)
    expect(statuses).toEqual(tokens.map(() => 401))
  })
}
