import { addItem } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { addEveryType } from './every-type.ts'
import { expectAccessible } from './expect-accessible.ts'

const menuButton = (page: Page, field: string, id: number) =>
  page.getByRole('button', { name: `${field} of item ${id}`, exact: true })
/** The button is there while the pointer is on the row. */
async function openMenu(page: Page, field: string, id: number): Promise<void> {
  await page.getByRole('rowheader', { name: String(id), exact: true }).hover()
  await menuButton(page, field, id).click()
}
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name })
const ids = (page: Page) => page.getByRole('rowheader')
const where = (page: Page) => {
  const asked = new URL(page.url()).searchParams.get('where')
  return asked === null ? undefined : (JSON.parse(asked) as Record<string, unknown>)
}

test('the menu of a cell asks for its value, for the others, and copies it, of every type', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  const address = `/dataset/${cities}/item`
  await page.goto(address)
  const { data } = await client.datasetItemGet({ datasetId: cities, itemId: 1 })
  for (const [field, value] of Object.entries(data)) {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    await openMenu(page, field, 1)
    await entry(page, 'Copy').click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    await openMenu(page, field, 1)
    if (field === 'facts') {
      await expect(entry(page, 'Filter for')).toHaveAttribute('aria-disabled', 'true')
      await expect(entry(page, 'Filter without')).toContainText('JSON is not compared as a whole')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      continue
    }
    const isBinary = field === 'flag' || field === 'map'
    const asked = (operator: string) => ({
      [field]: isBinary ? { sha256: { [operator]: value } } : { [operator]: value },
    })
    await entry(page, 'Filter for this value').click()
    await expect.poll(() => where(page)).toEqual(asked('eq'))
    await expect(page.getByRole('region', { name: 'Filters' }).getByRole('status')).toBeVisible()
    await expect(ids(page).first()).toHaveText('1')
    await page.goBack()
    await expect(ids(page)).toHaveCount(5)
    await openMenu(page, field, 1)
    await entry(page, 'Filter without this value').click()
    await expect.poll(() => where(page)).toEqual(asked('neq'))
    await expect(page.getByRole('link', { name: '1', exact: true })).toHaveCount(0)
    await page.goBack()
    await expect(ids(page)).toHaveCount(5)
  }
  await openMenu(page, 'people', 3)
  await expect(entry(page, 'Copy')).toHaveCount(0)
  await entry(page, 'Filter without missing').click()
  await expect.poll(() => where(page)).toEqual({ people: { empty: false } })
  await expect(ids(page)).toHaveText(['1', '2', '4', '5'])
  await openMenu(page, 'size', 1)
  await entry(page, 'Filter for this value').click()
  await expect.poll(() => where(page)).toEqual({ people: { empty: false }, size: { eq: 'large' } })
  await expect(ids(page)).toHaveText(['1', '2'])
})

test('a long text is asked for as it is, or not at all', async ({ page, client }) => {
  const notes = newName('notes')
  await client.repoCreate({
    body: { name: notes, schema: [{ name: 'text', type: 'string', length: 5000 }] },
  })
  const long = 'Long "text", '.repeat(100)
  await addItem(client, notes, { text: long })
  await addItem(client, notes, { text: `${long}and more` })
  await addItem(client, notes, { text: 'ü'.repeat(5000) })
  await page.goto(`/dataset/${notes}/item`)
  await openMenu(page, 'text', 1)
  await entry(page, 'Filter for this value').click()
  await expect(ids(page)).toHaveText(['1'])
  expect(where(page)).toEqual({ text: { eq: long } })
  await page.goBack()
  await openMenu(page, 'text', 3)
  await expect(entry(page, 'Filter for')).toContainText('It is too long for an address')
  await expect(entry(page, 'Filter for')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  expect(where(page)).toBeUndefined()
  await entry(page, 'Copy value').click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('ü'.repeat(5000))
})

test('cells and rows are reached by keyboard, and a row still shows its item', async ({
  page,
  client,
  server,
}) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item`)
  await page.getByRole('link', { name: 'show' }).first().focus()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'show' }).nth(1)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(menuButton(page, 'map', 2)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menuButton(page, 'map', 3)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(entry(page, 'Filter for')).toBeFocused()
  await expectAccessible(page, 'the menu of a cell')
  await page.keyboard.press('ArrowDown')
  await expect(entry(page, 'Filter without')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(menuButton(page, 'map', 2)).toBeFocused()
  await openMenu(page, 'name', 2)
  await menuButton(page, 'name', 2).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  // The row's link lies over its cells.
  await page.getByText('Tokyo', { exact: true }).click({ force: true })
  await expect(page).toHaveURL(`${server.url}/dataset/${cities}/item?item=2`)
})
