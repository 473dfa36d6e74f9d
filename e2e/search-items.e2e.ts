import { addItem, type Client } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { editorOf } from './editor.ts'
import { expectAccessible } from './expect-accessible.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

async function addDishes(client: Client, name: string): Promise<void> {
  await client.repoCreate({
    body: {
      name,
      schema: [
        { name: 'dish', type: 'string', length: 80 },
        { name: 'notes', type: 'string', length: 80, optional: true },
        { name: 'recipe', type: 'url', optional: true },
        { name: 'minutes', type: 'integer', optional: true },
      ],
    },
  })
  await addItem(client, name, { dish: 'Crème brûlée', notes: 'with burnt sugar', minutes: 60 })
  await addItem(client, name, { dish: 'Soup', recipe: 'https://example.org/creme-soup' })
  await addItem(client, name, { dish: 'شوربة عدس حمراء', notes: 'red lentils' })
  await addItem(client, name, { dish: 'Bread', minutes: 60 })
}

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search items' })
const dishes = (page: Page) => page.getByRole('row').locator('td:nth-child(2)')
const marks = (page: Page) => page.getByRole('table').locator('mark')
const filters = (page: Page) => page.getByRole('region', { name: 'Filters' })

test(
  'items are found as one types, and the address keeps the words',
  { tag: '@core' },
  async ({ page, client }) => {
    const name = newName('dishes')
    await addDishes(client, name)
    await page.goto(`/dataset/${name}`)
    await page.goto(`/dataset/${name}/item?page=3`)
    await expect(page.getByText('the list ends before it')).toBeVisible()
    const entries = await page.evaluate(() => history.length)
    await box(page).pressSequentially('BRULEE cr')
    await expect(dishes(page)).toHaveText(['Crème brûlée'])
    await expect(marks(page)).toHaveText(['Cr', 'brûlée'])
    await expect(filters(page).getByText('1 item', { exact: true })).toBeVisible()
    await expect(box(page)).toBeFocused()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=BRULEE+cr')
    expect(await page.evaluate(() => history.length)).toBe(entries)

    // All words are in one text, and addresses are looked at as well.
    await box(page).fill('creme')
    await expect(dishes(page)).toHaveText(['Crème brûlée', 'Soup'])
    await expect(marks(page)).toHaveText(['Crème', 'creme'])
    await page.getByRole('columnheader', { name: 'dish' }).getByRole('button').first().click()
    await page.getByRole('columnheader', { name: 'dish' }).getByRole('button').first().click()
    await expect(dishes(page)).toHaveText(['Soup', 'Crème brûlée'])
    await page.reload()
    await expect(box(page)).toHaveValue('creme')
    await expect(dishes(page)).toHaveText(['Soup', 'Crème brûlée'])
    await expect(marks(page)).toHaveCount(2)
    await page.goBack()
    await page.goBack()
    await expect(box(page)).toHaveValue('creme')
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`/dataset/${name}$`))
  },
)

test('words go together with filters, and where nothing is found each can be taken away', async ({
  page,
  client,
}) => {
  const name = newName('dishes')
  await addDishes(client, name)
  await page.goto(`/dataset/${name}/item?where=${encodeURIComponent('{"minutes":{"eq":60}}')}`)
  await expect(dishes(page)).toHaveText(['Crème brûlée', 'Bread'])
  await box(page).fill('soup')
  await expect(
    page.getByText('No item that passes the filters has all of these words in one of its texts.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(dishes(page)).toHaveText(['Soup'])
  await box(page).fill('60')
  await expect(page.getByText('No item has all of these words in one of its texts.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(dishes(page)).toHaveCount(4)
  await expect(box(page)).toHaveValue('')
  await expect(marks(page)).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
})

test('a search is saved as a view of the same items', async ({ page, client }) => {
  const name = newName('dishes')
  await addDishes(client, name)
  const where = encodeURIComponent('{"dish":{"icontains":"b"}}')
  await page.goto(`/dataset/${name}/item?where=${where}`)
  await expect(dishes(page)).toHaveText(['Crème brûlée', 'Bread'])
  await box(page).fill('creme')
  await expect(dishes(page)).toHaveText(['Crème brûlée'])
  await page.getByRole('link', { name: 'Save as view' }).click()
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.type(`${name}-found`)
  for (const line of ['any:', 'dish: { search: creme }', 'recipe: { search: creme }']) {
    await expect(editorOf(page)).toContainText(line)
  }
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('link', { name: 'Show items' }).click()
  await expect(dishes(page)).toHaveText(['Crème brûlée'])
  await page.getByRole('link', { name: 'About' }).click()
  await page.getByRole('link', { name: 'Explore base' }).click()
  await expect(dishes(page)).toHaveText(['Crème brûlée'])
  await expect(box(page)).toHaveValue('')
})

test('items are found by the label of what they refer to, and so are those of the view', async ({
  page,
  client,
}) => {
  const [countries, cities] = [newName('countries'), newName('cities')]
  const name = { name: 'name', type: 'string' }
  await client.repoCreate({ body: { name: countries, schema: [name] } })
  const country = { name: 'country', type: 'reference', target: countries }
  await client.repoCreate({ body: { name: cities, schema: [name, country] } })
  await addItem(client, countries, { name: 'New Zealand' })
  await addItem(client, countries, { name: 'Spain' })
  await addItem(client, cities, { name: 'Ōtaki', country: 1 })
  await addItem(client, cities, { name: 'Lugo', country: 2 })
  await page.goto(`/dataset/${cities}/item`)
  await box(page).fill('zealand')
  await expect(dishes(page)).toHaveText(['Ōtaki'])
  await expect(marks(page)).toHaveText(['Zealand'])
  await page.getByRole('link', { name: 'Save as view' }).click()
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.type(`${cities}-found`)
  await expect(editorOf(page)).toContainText('country.name: { search: zealand }')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('link', { name: 'Show items' }).click()
  await expect(dishes(page)).toHaveText(['Ōtaki'])
})

test('a search fits a narrow window, in letters of any direction', async ({ page, client }) => {
  const name = newName('dishes')
  await addDishes(client, name)
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(`/dataset/${name}/item`)
  await expect(dishes(page)).toHaveCount(4)
  await box(page).fill('عدس')
  await expect(dishes(page)).toHaveText(['شوربة عدس حمراء'])
  await expect(marks(page)).toHaveText(['عدس'])
  // The marked word stands between the others, which go on from right to left.
  const [first, second] = await dishes(page)
    .locator('span')
    .evaluate((cell) => {
      const mark = cell.querySelector('mark')!.getBoundingClientRect()
      const range = document.createRange()
      range.selectNodeContents(cell.firstChild!)
      return [range.getBoundingClientRect().left, mark.right]
    })
  expect(first).toBeGreaterThanOrEqual(second - 1)
  await expectAccessible(page, 'found items')
  expect(await sidewaysOverflow(page)).toBe(0)
  await box(page).fill('x'.repeat(200))
  await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible()
  expect(await sidewaysOverflow(page)).toBe(0)
})

test('a dataset without texts has nothing to search', async ({ page, client, console }) => {
  console.expect(/status of 400/)
  const name = newName('numbers')
  await client.repoCreate({ body: { name, schema: [{ name: 'number', type: 'integer' }] } })
  await addItem(client, name, { number: 7 })
  await page.goto(`/dataset/${name}/item`)
  await expect(box(page)).toBeDisabled()
  await expect(box(page)).toHaveAttribute('placeholder', 'No texts to search')
  await page.goto(`/dataset/${name}/item?q=7`)
  await expect(page.getByRole('alert')).toContainText('no field of this dataset is text')
  await box(page).fill('')
  await expect(dishes(page)).toHaveText(['7'])
})
