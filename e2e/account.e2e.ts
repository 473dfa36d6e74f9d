import type { Browser, Page } from '@playwright/test'
import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { admin, type LaunchedServer } from './launch-server.ts'
import { fillSignIn, signIn } from './sign-in.ts'

test.use(signedOut)

const chosen = 'a password of my own'

const fillNewPassword = async (page: Page, again = chosen) => {
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByLabel('New password, once more').fill(again)
}

const narrow = { width: 390, height: 844 }

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** Signs in here and in another browser, whose page it returns. */
async function signInTwice(page: Page, browser: Browser, { url }: LaunchedServer): Promise<Page> {
  await signIn(page, url)
  const far = await (await browser.newContext()).newPage()
  await signIn(far, url)
  return far
}

test(
  'people change their password and end their other sessions',
  { tag: '@core' },
  async ({ page, browser, launch, console: watch }) => {
    watch.expect(/status of 40[01]/)
    const far = await signInTwice(page, browser, await launch())

    await page.getByRole('link', { name: 'Account' }).click()
    await expect(page.getByText('You are signed in as admin.')).toBeVisible()
    await expect(page.getByRole('listitem')).toHaveCount(2)
    await page.setViewportSize(narrow)
    await expectAccessible(page, 'account')
    expect(await width(page)).toBe(narrow.width)

    await page.getByLabel('Current password').fill('not the password')
    await fillNewPassword(page)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await expect(page.getByRole('alert')).toHaveText('This is not the current password.')
    await expect(page.getByLabel('Current password')).toBeFocused()
    await expectAccessible(page, 'account, refused')
    await page.getByLabel('Current password').fill(admin.password)
    await fillNewPassword(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status')).toContainText('The password is changed.')
    await expect(page.getByRole('listitem')).toHaveCount(1)

    // The other browser is led to the sign-in when it next asks for something; this one goes on.
    await far.getByRole('link', { name: 'Repos', exact: true }).click()
    await expect(far.getByRole('textbox', { name: 'Username' })).toBeVisible()
    await far.context().close()
    await page.getByRole('link', { name: 'Back to Vitrine' }).click()
    await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
    await page.getByRole('link', { name: 'Repos', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Repositories' })).toBeVisible()
  },
)

test('one session is ended from the list', async ({ page, browser, launch, console: watch }) => {
  watch.expect(/status of 40[01]/)
  const far = await signInTwice(page, browser, await launch())
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: /^End Chrom/ }).click()
  await expect(page.getByRole('status')).toHaveText('The session has ended.')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await far.getByRole('link', { name: 'Repos', exact: true }).click()
  await expect(far.getByRole('textbox', { name: 'Username' })).toBeVisible()
  await far.context().close()
})

test('whose password was made up chooses one at the first sign-in', async ({
  page,
  launch,
  console: watch,
}) => {
  watch.expect(/status of 400/)
  const server = await launch()
  const printed = await server.user('add', 'ada', '--generate')
  const password = /The password is (\S+) until/.exec(printed)?.[1] ?? ''
  await page.goto(server.url)
  await fillSignIn(page, { username: 'ada', password })
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  await page.setViewportSize(narrow)
  await expectAccessible(page, 'choosing a password')
  expect(await width(page)).toBe(narrow.width)
  await fillNewPassword(page, 'another password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('The two passwords differ.')
  await fillNewPassword(page)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  await page.getByRole('link', { name: 'Account' }).click()
  await expect(page.getByText('You are signed in as ada.')).toBeVisible()
})
