import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { looks, wear } from './looks.ts'
import { addPeople } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { clientOf, signIn } from './sign-in.ts'

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

test('a token is for datasets that are found by typing', async ({ page, launch }) => {
  const { url } = await launch()
  await signIn(page, url)
  const client = await clientOf(page)
  const long = 'a-dataset-with-a-name-that-is-as-long-as-names-of-datasets-in-fact-are'
  const names = ['people', 'photos', 'words', long]
  for (const name of names) await addPeople(client, name)
  await page.goto(`${url}/token/`)
  await page.getByRole('textbox', { name: 'Name' }).fill('paper')
  const datasets = page.getByRole('combobox', { name: 'Datasets' })
  const options = page.getByRole('listbox')
  await datasets.focus()
  await page.keyboard.type('PHO')
  await expect(options.getByRole('option')).toHaveText(['photos'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(datasets).toHaveValue('')
  await page.keyboard.type('nothing')
  await expect(page.getByText('No other dataset has this in its name.')).toBeVisible()
  await datasets.fill('')
  await expect(options.getByRole('option', { name: 'people', exact: true })).toBeVisible()
  await expect(options.getByRole('option', { name: 'photos', exact: true })).toBeHidden()
  for (const name of ['people', long, 'words']) {
    await options.getByRole('option', { name, exact: true }).click()
  }
  for (const look of looks) await (await wear(page, look))('token-datasets-chosen')
  await page.keyboard.press('Escape')
  await expect(options).toBeHidden()
  await expectAccessible(page, 'chosen datasets')
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('region', { name: 'New token' })
  const token = (await shown.getByRole('region', { name: 'Token', exact: true }).innerText()).trim()
  const ask = (path: string) =>
    fetch(`${url}/api/dataset${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect((await ask('/photos')).status).toBe(200)
  expect(await (await ask('')).json()).toHaveLength(4)

  await client.repoDelete({ datasetId: 'people' })
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'paper' })
  await expect(row.getByRole('link', { name: 'photos' })).toBeVisible()
  await expect(row.getByText('people (gone)')).toBeVisible()
  await row.getByText('1 more').click()
  await expect(row.getByRole('link', { name: 'words' })).toBeVisible()
  await page.setViewportSize(narrow)
  expect(await sidewaysOverflow(page)).toBe(0)
  await expectAccessible(page, 'a token for datasets')
  for (const look of looks) await (await wear(page, look))('token-datasets')
})

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
