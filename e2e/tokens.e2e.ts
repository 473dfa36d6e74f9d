import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { signIn } from './sign-in.ts'

test.use(signedOut)

const narrow = { width: 320, height: 800 }

test(
  'a token is created, shown once, used by programs, and revoked',
  { tag: '@core' },
  async ({ page, launch }) => {
    const { url } = await launch()
    await signIn(page, url)
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('link', { name: 'Create and revoke access tokens' }).click()
    await expect(page.getByRole('heading', { name: 'Access tokens', level: 1 })).toBeVisible()
    await expect(page.getByText('You have no access tokens yet.')).toBeVisible()
    await expectAccessible(page, 'no tokens')

    await page.getByRole('textbox', { name: 'Name' }).fill('notebook')
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('add')
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('30')
    await page.getByRole('button', { name: 'Create token' }).press('Enter')
    const shown = page.getByRole('region', { name: 'New token' })
    const token = await shown.getByRole('region', { name: 'Token', exact: true }).innerText()
    expect(token.trim()).toMatch(/^vtr_[0-9A-Za-z]{49}$/)
    await expect(shown.getByRole('heading')).toBeFocused()
    await expectAccessible(page, 'a new token')
    await page.setViewportSize(narrow)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(narrow.width)

    const ask = () =>
      fetch(`${url}/api/dataset`, {
        headers: { authorization: `Basic ${btoa(`me:${token.trim()}`)}` },
      })
    expect((await ask()).status).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(token.trim())).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('notebook', { exact: true })).toBeVisible()
    await expect(page.getByText('vtr_')).toHaveCount(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(narrow.width)

    await page.getByRole('button', { name: 'Revoke notebook' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    expect((await ask()).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke notebook' }).click()
    await expectAccessible(page, 'revoking')
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await expect(page.getByText('You have no access tokens yet.')).toBeVisible()
    expect((await ask()).status).toBe(401)
  },
)

test('a browser without a token is refused, and asks for no password itself', async ({
  page,
  launch,
  console,
}) => {
  console.expect(/status of 401/)
  const { url } = await launch()
  await page.goto(`${url}/api/dataset`)
  await expect(page.getByText('TOKEN_MISSING')).toBeVisible()
})
