import type { BrowserContext, Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import { endAtProvider } from './end-at-provider.ts'
import { admin, type LaunchedServer } from './launch-server.ts'
import { measureEnding } from './measure-ending.ts'
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

/** Life of access tokens in seconds; `SESSION_LIFE=300` measures another one. */
const life = Number(process.env['SESSION_LIFE'] ?? '30')

for (const { name, end } of endings) {
  test(`six tabs, ${name}: all say so, and no call is answered`, async ({
    page,
    context,
    launch,
    console: watch,
  }) => {
    watch.expect(/status of 40[01]/)
    // Nobody touches the tabs: they find out by the next renewal, at the latest after a whole life.
    test.setTimeout(120_000 + life * 2000)
    const server = await launch({ VITRINE_ACCESS_TOKEN_SECONDS: String(life) })
    await signIn(page, server.url)
    const tabs = [page]
    while (tabs.length < 6) {
      const tab = await context.newPage()
      await tab.goto(server.url)
      await expect(tab.getByRole('heading', { name: 'Datasets' })).toBeVisible()
      tabs.push(tab)
    }
    const tokens = await Promise.all(tabs.map(async (tab) => (await storedUser(tab)).access_token))
    const { line, statuses } = await measureEnding(tabs, {
      name: `tokens of ${life} s, ${name}`,
      tokens,
      url: server.url,
      end: () => end({ tabs, context, server }),
      withinSeconds: 30 + life,
    })
    process.stdout.write(`${line}\n`)
    expect(statuses).toEqual(tokens.map(() => 401))
  })
}
