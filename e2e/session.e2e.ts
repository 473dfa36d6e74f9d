import { expect, signedOut, test } from './app.ts'
import { lostConnection } from './console-watch.ts'
import { renewInHiddenFrame } from './renew-in-hidden-frame.ts'
import { fillSignIn, signIn, storedUser } from './sign-in.ts'
test.use(signedOut)

/** Seconds; of a short life, two thirds pass before a renewal. */
const soonToRenew = { VITRINE_ACCESS_TOKEN_SECONDS: '9' }
/** Longer than a token is good for: none expires before the page's clock is put forward by this. */
const lifetime = '05:01'

test('tokens are renewed by the refresh token, unseen', async ({ page, launch }) => {
  const server = await launch(soonToRenew)
  await signIn(page, server.url)
  const before = await storedUser(page)
  expect(before.refresh_token).toBeDefined()
  const renewal = await page.waitForRequest((request) =>
    (request.postData() ?? '').includes('grant_type=refresh_token'),
  )
  expect(new URLSearchParams(renewal.postData() ?? '').get('client_id')).toBe('vitrine')
  await expect.poll(() => storedUser(page)).not.toEqual(before)
  const after = await storedUser(page)
  expect(after.access_token).not.toBe(before.access_token)
  expect(after.refresh_token).not.toBe(before.refresh_token)

  await page.getByRole('link', { name: 'Repos', exact: true }).click()
  await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('without a refresh token a hidden frame renews', async ({ page, launch }) => {
  const server = await launch()
  await signIn(page, server.url)
  await renewInHiddenFrame(page)
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
})

test('two tabs with the same refresh token both stay signed in', async ({
  page,
  context,
  launch,
}) => {
  const server = await launch(soonToRenew)
  await signIn(page, server.url)
  // A page that is opened by script begins with a copy of the session storage, as a duplicated tab.
  const opened = context.waitForEvent('page')
  await page.evaluate((url) => window.open(url), `${server.url}/view/`)
  const tab = await opened
  await expect(tab.getByRole('heading', { name: 'Views' })).toBeVisible()
  const before = await storedUser(page)
  for (const each of [page, tab]) {
    await expect
      .poll(async () => (await storedUser(each)).refresh_token)
      .not.toBe(before.refresh_token)
    await each.getByRole('link', { name: 'Repos', exact: true }).click()
    await expect(each.getByText('You do not have any repositories yet.')).toBeVisible()
  }
})

test(
  'a draft survives the expiry of the session and the next sign-in',
  { tag: '@core' },
  async ({ page, context, launch, console }) => {
    console.expect(/status of 400/)
    const server = await launch()
    await page.clock.install()
    await signIn(page, server.url)
    await page.goto(`${server.url}/addrepo`)
    const editor = page.getByRole('textbox', { name: 'Enter YAML repository description' })
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\nname: typed-before-expiry\n')

    await endSession()
    await page.clock.fastForward(lifetime)
    const notice = page.getByRole('alert').filter({ hasText: 'Your sign-in has expired' })
    await expect(notice).toBeVisible()
    await expect(page).toHaveURL(`${server.url}/addrepo`)
    await expect(editor).toContainText('name: typed-before-expiry')
    await page.keyboard.insertText('description: and typed after\n')

    await notice.getByRole('button', { name: 'Sign in again' }).click()
    await fillSignIn(page)
    await page
      .getByRole('status')
      .filter({ hasText: 'Before signing in you asked for' })
      .getByRole('link')
      .click()
    await expect(editor).toContainText('name: typed-before-expiry')
    await expect(editor).toContainText('description: and typed after')
    await expect(page.getByText('Draft restored')).toBeVisible()

    /** Leaves nothing at the provider that the page could renew with. */
    async function endSession() {
      await context.clearCookies()
      const stored = await storedUser(page)
      const revocation = await fetch(`${server.url}/realms/local/token/revocation`, {
        method: 'POST',
        body: new URLSearchParams({
          token: stored.refresh_token ?? '',
          token_type_hint: 'refresh_token',
          client_id: 'vitrine',
        }),
      })
      expect(revocation.status).toBe(200)
    }
  },
)

test('the session lives on when the server was away while a token expired', async ({
  page,
  launch,
  console,
}) => {
  // Of a server that is not ready yet.
  console.expect(lostConnection, /status of 503/)
  const server = await launch()
  await page.clock.install()
  await signIn(page, server.url)
  await expect(page.getByText('You do not have any records yet.')).toBeVisible()
  await server.kill()
  await page.clock.fastForward(lifetime)
  const notice = page.getByRole('alert').filter({ hasText: 'Your sign-in has expired' })
  await expect(notice).toBeVisible()
  await server.start()
  // Tried again and again, by itself: whoever would sign in here may come too late for it.
  await expect(notice).toBeHidden()
  await page.getByRole('link', { name: 'Repos', exact: true }).click()
  await expect(page.getByText('You do not have any repositories yet.')).toBeVisible()
})
