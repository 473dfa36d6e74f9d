import { addItem, createClient } from '@vitrine/client'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import type { LaunchedServer } from './launch-server.ts'
import { countRenewals } from './count-renewals.ts'
import { endAtProvider } from './end-at-provider.ts'
import { fillSignIn, signIn, storedUser } from './sign-in.ts'

test.use(signedOut)

/** A tab beside one that is signed in: it needs no password, and has tokens of its own. */
async function openTab(context: BrowserContext, { url }: LaunchedServer): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(url)
  await expect(tab.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  return tab
}

const apiStatus = async ({ url }: LaunchedServer, token: string) =>
  (await fetch(`${url}/api/dataset`, { headers: { authorization: `Bearer ${token}` } })).status

for (const life of [30, 60, 300]) {
  test(`tokens of ${life} s are renewed once in their life, in each of two tabs`, async ({
    page,
    context,
    launch,
  }) => {
    const server = await launch({ VITRINE_ACCESS_TOKEN_SECONDS: String(life) })
    await context.clock.install()
    await signIn(page, server.url)
    const tabs = [page, await openTab(context, server)]
    expect(await countRenewals(context, { seconds: 2 * life - 5, clickEvery: life / 6 })).toEqual([
      2, 2,
    ])
    for (const tab of tabs) await expect(tab.getByRole('alert')).toBeHidden()
  })
}

test('both tabs say that their session has ended, while the provider hangs', async ({
  page,
  context,
  launch,
}) => {
  const server = await launch({ VITRINE_ACCESS_TOKEN_SECONDS: '60' })
  await context.clock.install()
  await signIn(page, server.url)
  const tabs = [page, await openTab(context, server)]
  await context.route('**/realms/local/token', () => {})
  // By its own clock the server still accepts the tokens.
  await context.route('**/api/**', () => {})
  for (const tab of tabs) {
    await tab.clock.runFor(61_000)
    await expect(tab.getByRole('alert')).toContainText('Your sign-in has expired')
    // What waits for a token looks like it.
    await tab.getByRole('link', { name: 'Repos', exact: true }).click()
    await expect(tab.getByRole('table', { name: 'Repositories' })).toHaveAttribute(
      'aria-busy',
      'true',
    )
    await expect(tab.getByText('You do not have any repositories yet.')).toBeHidden()
  }
})

test(
  'Logout reaches the other tabs, their storage and their tokens',
  { tag: '@core' },
  async ({ page, context, launch }) => {
    const server = await launch()
    await signIn(page, server.url)
    const other = await openTab(context, server)
    const left = await openTab(context, server)
    const typing = await openTab(context, server)
    await typing.goto(`${server.url}/addrepo`)
    const editor = typing.getByRole('textbox', { name: 'Enter YAML repository description' })
    await editor.click()
    await typing.keyboard.press('Control+End')
    await typing.keyboard.insertText('\nname: typed-before\n')
    const { access_token: token } = await storedUser(other)
    expect(await apiStatus(server, token)).toBe(200)
    // It hears of nothing while it shows another site.
    await left.goto('about:blank')

    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(other.getByText('You signed out in another tab.')).toBeVisible()
    expect(await storedUser(other)).toBeNull()
    expect(await apiStatus(server, token)).toBe(401)
    await expect(typing.getByRole('alert')).toContainText('You signed out in another tab.')
    await expect(editor).toContainText('typed-before')
    expect(await storedUser(typing)).toBeNull()

    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible()
    for (const tab of [other, left]) {
      await tab.goto(server.url)
      await expect(tab.getByRole('textbox', { name: 'Password' })).toBeVisible()
    }
  },
)

test('nothing of a value is left in the cache of the browser after Logout', async ({
  page,
  context,
  launch,
  console,
}) => {
  console.expect(/net::ERR_CACHE_MISS/)
  const server = await launch()
  await signIn(page, server.url)
  // The page of the sign-in may fetch nothing.
  const other = await openTab(context, server)
  const { access_token: token } = await storedUser(page)
  const client = createClient({ baseUrl: server.url, token: async () => token })
  const schema = [{ name: 'file', type: 'binary' as const, mime: 'text/plain' }]
  await client.repoCreate({ body: { name: 'files', schema } })
  const file = new Blob(['a secret'], { type: 'text/plain' })
  const id = await addItem(client, 'files', { file })
  const isCached = (isLoaded: boolean) =>
    other.evaluate(
      async ([path, bearer, load]) => {
        const headers = { authorization: `Bearer ${bearer}` }
        if (load) await (await fetch(path, { headers })).text()
        const cached = { headers, cache: 'only-if-cached', mode: 'same-origin' } as const
        return (await fetch(path, cached).catch(() => undefined))?.ok === true
      },
      [`/api/dataset/files/item/${id}/file`, token, isLoaded] as const,
    )
  expect(await isCached(true)).toBe(true)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(other.getByText('You signed out in another tab.')).toBeVisible()
  await expect.poll(() => isCached(false)).toBe(false)
})

test('after a sign-out in one tab, each tab can be signed in again', async ({
  page,
  context,
  launch,
}) => {
  const server = await launch()
  await signIn(page, server.url)
  const other = await openTab(context, server)
  await page.getByRole('button', { name: 'Logout' }).click()
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  await other.reload()
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('a tab that finds its session ended has the others look', async ({
  page,
  context,
  launch,
  console,
}) => {
  console.expect(/status of 40[01]/)
  const server = await launch()
  await signIn(page, server.url)
  const other = await openTab(context, server)
  await endAtProvider(context, server)
  await page.getByRole('link', { name: 'Repos', exact: true }).click()
  await expect(other.getByRole('alert')).toContainText('Your sign-in has expired')
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible()
})
