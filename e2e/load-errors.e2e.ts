import type { Page } from '@playwright/test'
import type { Feature } from '@vitrine/contract'
import { expect, signedOut, test } from './app.ts'
import { lostConnection } from './console-watch.ts'
import { addNotes } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

test.use(signedOut)

const emptyTexts = [
  'You do not have any records yet.',
  'You do not have any repositories yet.',
  'You do not have any views yet.',
  'Dataset has no Items',
  'There is nothing on this page',
]

/** A call without which a screen has nothing to show, on a server that may lack a feature. */
type Failing = { path: string; call: string; shown: string; text?: string; without?: Feature }

/** The error is shown with Retry, and nothing looks like an empty list. */
async function expectLoadError(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('alert')).toContainText(text)
  await expect(page.getByRole('alert').getByRole('button', { name: 'Retry' })).toBeVisible()
  for (const empty of emptyTexts) await expect(page.getByText(empty)).toBeHidden()
}

test(
  'a server that is away is told of, with Retry',
  { tag: '@core' },
  async ({ page, launch, console }) => {
    console.expect(lostConnection)
    const server = await launch()
    await signIn(page, server.url)
    const client = await clientOf(page)
    await addNotes(client, 'first', 1)
    await addNotes(client, 'second', 2)

    // The code of the pages is there already: what fails is the data.
    await page.goto(`${server.url}/dataset/first/item`)
    await page.getByRole('link', { name: 'show' }).click()
    await expect(page.getByRole('definition').getByText('note 1', { exact: true })).toBeVisible()
    await page.goto(`${server.url}/dataset/first/item`)
    await expect(page.getByText('note 1', { exact: true })).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: 'Datasets' }).click()
    await expect(page.getByRole('rowheader')).toHaveCount(2)

    await server.kill()
    await page
      .getByRole('row', { name: /^second / })
      .getByRole('link', { name: 'items' })
      .click()
    await expectLoadError(page, 'The server could not be reached')

    await server.start()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('note 2', { exact: true })).toBeVisible()
    await expect(page.getByRole('alert')).toBeHidden()
  },
)

test('a request that failed offline is retried when the network is back', async ({
  page,
  launch,
  console,
}) => {
  console.expect(/ERR_INTERNET_DISCONNECTED/)
  const server = await launch()
  await signIn(page, server.url)
  await addNotes(await clientOf(page), 'notes', 1)
  await page.goto(`${server.url}/dataset/notes/item`)
  await expect(page.getByText('note 1', { exact: true })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('searchbox').fill('note')
  await expectLoadError(page, 'The server could not be reached')
  await page.context().setOffline(false)
  await expect(page.getByText('note 1', { exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test(
  'every list and detail shows its load error with Retry',
  { tag: '@core' },
  async ({ page, launchOther, console }) => {
    console.expect(/status of 500/)
    const other = await launchOther()
    await signIn(page, other.url)
    const client = await clientOf(page)
    const [itemId] = await addNotes(client, 'notes', 1)
    await client.viewCreate({ body: { name: 'notes-view', base: 'notes' } })

    for (const { path, call, shown, text = 'unknown error', without } of [
      { path: '/dataset/', call: '/api/dataset', shown: 'notes-view', without: 'search' },
      {
        path: '/repo/',
        call: '/api/repo',
        shown: 'notes',
        text: 'Internal Server Error',
        without: 'search',
      },
      {
        path: '/view/',
        call: '/api/view',
        shown: 'notes-view',
        text: 'Internal Server Error',
        without: 'search',
      },
      { path: '/dataset/', call: '/api/search', shown: 'notes-view' },
      { path: '/repo/', call: '/api/search', shown: 'notes' },
      { path: '/view/', call: '/api/search', shown: 'notes-view' },
      { path: '/dataset/notes', call: '/api/dataset/notes', shown: 'at most 200 characters' },
      { path: '/dataset/notes/item', call: '/api/dataset/notes/item', shown: 'note 1' },
      { path: '/dataset/notes/item', call: '/api/dataset/notes', shown: 'note 1' },
      {
        path: `/dataset/notes/item/${itemId}`,
        call: `/api/dataset/notes/item/${itemId}`,
        shown: 'note 1',
      },
      { path: '/repo/notes/additem', call: '/api/dataset/notes', shown: 'required, at most 200' },
    ] satisfies Failing[]) {
      if (without !== undefined) other.withhold(without)
      other.alter(`GET ${call}`, () => ({ status: 500, body: '' }))
      await page.goto(other.url + path)
      await expectLoadError(page, text)
      other.restore()
      await page.getByRole('button', { name: 'Retry' }).click()
      await expect(page.getByText(shown).first()).toBeVisible()
      await expect(page.getByRole('alert')).toBeHidden()
    }
  },
)

test('the count of items that cannot be had is told of', async ({ page, launchOther, console }) => {
  console.expect(/status of 500/)
  const other = await launchOther()
  await signIn(page, other.url)
  await addNotes(await clientOf(page), 'notes', 1)
  other.alter('GET /api/dataset/notes/count', () => ({ status: 500, body: '' }))
  await page.goto(`${other.url}/dataset/notes`)
  await expect(page.getByText('unknown error')).toBeVisible()
})

test('a status is said in its standard phrase', async ({ page, launchOther, console }) => {
  console.expect(/status of \d+/)
  const other = await launchOther()
  await signIn(page, other.url)
  for (const [status, phrase] of [
    [404, 'Not Found'],
    [409, 'Conflict'],
    [422, 'Unprocessable Content'],
    [418, "Generic Error: 418; I'm a Teapot; short and stout"],
  ] as const) {
    const body = 'short and stout'
    other.alter('GET /api/search', () => ({ status, body }))
    await page.goto(other.url)
    await expectLoadError(page, phrase)
  }
  other.alter('GET /api/dataset/some', () => ({ status: 404, body: '' }))
  await page.goto(`${other.url}/dataset/some`)
  await expectLoadError(page, 'dataset not found')
  other.alter('GET /api/dataset/some', () => ({ status: 400, body: '' }))
  await page.goto(`${other.url}/dataset/some`)
  await expectLoadError(page, 'Bad Request')
})

test('a sign-in that the server refuses leads to one more sign-in, and no further', async ({
  page,
  launchOther,
  console,
}) => {
  console.expect(/status of 401/)
  const other = await launchOther()
  await signIn(page, other.url)
  for (const call of ['GET /api/search', 'GET /api/whoami']) {
    other.alter(call, () => ({ status: 401, body: '' }))
  }
  const signIns: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('code_challenge=')) signIns.push(request.url())
  })
  await page.goto(`${other.url}/view/`)
  // Sent to the provider, which still knows the user, and so back at the same page.
  await expect.poll(() => signIns.length).toBe(1)
  await expect(page.getByRole('heading', { name: 'Views' })).toBeVisible()
  await expect(page).toHaveURL(`${other.url}/view/`)
  const alerts = page.getByRole('alert')
  await expect(alerts.filter({ hasText: 'Unauthorized' })).toBeVisible()
  await expect(
    alerts.filter({ hasText: 'The server does not accept your sign-in any more' }),
  ).toBeVisible()
  for (const empty of emptyTexts) await expect(page.getByText(empty)).toBeHidden()
  expect(signIns).toHaveLength(1)

  other.restore()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('You do not have any views yet.')).toBeVisible()
  await expect(alerts).toBeHidden()
})
