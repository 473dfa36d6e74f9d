import type { Client } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { editorOf } from './editor.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addGallery, addNotes } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

async function newGallery(client: Client) {
  const [people, photos] = [newName('people'), newName('photos')]
  await addGallery(client, photos, people)
  return { people, photos }
}

const filters = (page: Page) => page.getByRole('region', { name: 'Filters' })
const titles = (page: Page) => page.getByRole('row').locator('td:nth-child(2)')
const asked = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

async function addFilter(page: Page, fields: readonly string[], value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  for (const [depth, field] of fields.entries()) {
    await dialog
      .getByLabel(/^Field/)
      .nth(depth)
      .selectOption(field)
  }
  await dialog.getByLabel('Value').fill(value)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

test(
  'filters and sorting are in the address, and Back and reload restore them',
  { tag: '@core' },
  async ({ page, client }) => {
    const { photos, people } = await newGallery(client)
    await page.goto(`/dataset/${photos}/item`)
    await expect(titles(page)).toHaveText(['Morning', 'The mill', 'Evening'])
    await expect(page.getByText('3 items', { exact: true })).toBeVisible()

    await addFilter(page, ['taken_by', 'name'], 'ADA')
    await expect(titles(page)).toHaveText(['Morning', 'Evening'])
    await expect(filters(page).getByText('2 items', { exact: true })).toBeVisible()
    await expect.poll(() => asked(page)).toEqual({ where: '{"taken_by.name":{"icontains":"ADA"}}' })
    const chip = filters(page).getByRole('button', {
      name: 'taken_by.name contains ADA',
      exact: true,
    })
    await chip.click()
    const dialog = page.getByRole('dialog', { name: 'Change filter' })
    await expect(dialog.getByLabel('Field', { exact: true })).toHaveValue('taken_by')
    await expect(dialog.getByLabel(`Field of ${people}`)).toHaveValue('name')
    await dialog.getByLabel('Value').fill('Frances')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await expect(titles(page)).toHaveText(['The mill'])
    await expect(filters(page).getByText('1 item', { exact: true })).toBeVisible()
    await page.goBack()
    await expect(titles(page)).toHaveText(['Morning', 'Evening'])

    const title = page.getByRole('columnheader', { name: 'title' })
    const sort = title.getByRole('button').first()
    await sort.click()
    await expect(title).toHaveAttribute('aria-sort', 'ascending')
    await expect(titles(page)).toHaveText(['Evening', 'Morning'])
    await sort.click()
    await expect(title).toHaveAttribute('aria-sort', 'descending')
    await expect(titles(page)).toHaveText(['Morning', 'Evening'])
    await expect(filters(page)).toContainText('sorted by title ↓')
    await page.reload()
    await expect(title).toHaveAttribute('aria-sort', 'descending')
    await expect(titles(page)).toHaveText(['Morning', 'Evening'])
    await expect(chip).toBeVisible()
    await sort.click()
    await expect(title).not.toHaveAttribute('aria-sort')
    await page.goBack()
    await expect(title).toHaveAttribute('aria-sort', 'descending')

    await filters(page)
      .getByRole('button', { name: /^Remove filter/ })
      .click()
    await expect(titles(page)).toHaveText(['The mill', 'Morning', 'Evening'])
    await expect(page.getByRole('button', { name: 'Add filter' })).toBeFocused()
    await filters(page).getByRole('button', { name: 'Remove sorting' }).click()
    await expect(titles(page)).toHaveText(['Morning', 'The mill', 'Evening'])
    expect(asked(page)).toEqual({})

    await addFilter(page, ['title'], 'nothing like it')
    await expect(page.getByText('No item passes the filters')).toBeVisible()
    await expect(page.getByText('Dataset has no Items')).toBeHidden()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(titles(page)).toHaveCount(3)
  },
)

test('sorting is kept over pages, and a new filter starts at the first page', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  await addNotes(client, notes, 45)
  await page.goto(`/dataset/${notes}/item?order=-text`)
  await expect(titles(page).first()).toHaveText('note 9')
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(titles(page).first()).toHaveText('note 31')
  expect(asked(page)).toEqual({ order: '-text', page: '1' })
  await addFilter(page, ['text'], 'note 4')
  await expect(titles(page)).toHaveText(
    [45, 44, 43, 42, 41, 40, 4].map((number) => `note ${number}`),
  )
  expect(asked(page)['page']).toBeUndefined()
})

test('a condition that no form shows is readable, can be removed, and opens as YAML', async ({
  page,
  client,
}) => {
  const { photos } = await newGallery(client)
  const where = {
    any: [
      { title: { eq: 'Evening' } },
      { not: { 'taken_by.name': { eq: 'Ada Lovelace' }, notes: { empty: false } } },
    ],
    title: { neq: 'The mill' },
  }
  await page.goto(`/dataset/${photos}/item?where=${encodeURIComponent(JSON.stringify(where))}`)
  await expect(titles(page)).toHaveText(['Morning', 'Evening'])
  const text = 'title is Evening or not (taken_by.name is Ada Lovelace and notes is there)'
  await filters(page).getByRole('link', { name: text }).click()
  await expect(page.getByRole('heading', { name: 'Add View' })).toBeVisible()
  await expect(editorOf(page)).toContainText(`base: ${photos}`)
  await expect(editorOf(page)).toContainText('any:')
  await page.goBack()
  await filters(page)
    .getByRole('button', { name: `Remove filter: ${text}` })
    .click()
  await expect(titles(page)).toHaveText(['Morning', 'Evening'])
  await expect.poll(() => asked(page)).toEqual({ where: '{"title":{"neq":"The mill"}}' })
})

test(
  'filtered and sorted items are saved as a view, and the view links back to them',
  { tag: '@core' },
  async ({ page, client }) => {
    const { photos } = await newGallery(client)
    const name = newName('by-ada')
    await page.goto(`/dataset/${photos}/item`)
    await addFilter(page, ['taken_by', 'name'], 'ada')
    await page.getByRole('columnheader', { name: 'title' }).getByRole('button').first().click()
    await expect(titles(page)).toHaveText(['Evening', 'Morning'])
    await page.getByRole('link', { name: 'Save as view' }).click()
    // The cursor stands where the name is to be filled in.
    await expect(editorOf(page)).toBeFocused()
    await page.keyboard.type(name)
    for (const line of [`name: ${name}`, `base: ${photos}`, 'order: [ title ]']) {
      await expect(editorOf(page)).toContainText(line)
    }
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('2 items')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('link', { name: 'Show items' }).click()
    await expect(titles(page)).toHaveText(['Evening', 'Morning'])

    // A view is explored like any dataset.
    await addFilter(page, ['title'], 'even')
    await expect(titles(page)).toHaveText(['Evening'])
    await page.getByRole('link', { name: 'About' }).click()
    await page.getByRole('link', { name: 'Explore base' }).click()
    await expect(titles(page)).toHaveText(['Evening', 'Morning'])
    await expect(filters(page)).toContainText('taken_by.name contains ada')
    await expect(filters(page)).toContainText('sorted by title ↑')
    expect(new URL(page.url()).pathname).toBe(`/dataset/${photos}/item`)
  },
)

test('an address that asks for what cannot be says so', async ({ page, client, console }) => {
  console.expect(/status of 400/)
  const { photos } = await newGallery(client)
  await page.goto(`/dataset/${photos}/item?where=%7B%22titel%22%3A%7B%22eq%22%3A%22x%22%7D%7D`)
  await expect(page.getByRole('alert')).toContainText('title')
  await filters(page)
    .getByRole('button', { name: /^Remove filter/ })
    .click()
  await expect(titles(page)).toHaveCount(3)
  await expect(page.getByRole('alert')).toBeHidden()
  await page.goto(`/dataset/${photos}/item?where=nonsense`)
  await expect(page.getByRole('alert')).toContainText('The filter in the address cannot be read')
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(titles(page)).toHaveCount(3)
})

test('exploring is accessible, and fits a narrow window', async ({ page, client }) => {
  const { photos } = await newGallery(client)
  await page.setViewportSize({ width: 390, height: 844 })
  const where = { 'taken_by.name': { icontains: 'a' }, title: { length: { gt: 3 } } }
  const search = new URLSearchParams({ where: JSON.stringify(where), order: '-title,id' })
  await page.goto(`/dataset/${photos}/item?${search}`)
  await expect(titles(page)).toHaveText(['The mill', 'Morning', 'Evening'])
  await expectAccessible(page, 'explored items')
  expect(await sidewaysOverflow(page)).toBe(0)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'a filter that is written')
  expect(await sidewaysOverflow(page)).toBe(0)
})

test('the filter dialog begins at the value, and its operators stand in groups', async ({
  page,
  client,
}) => {
  const { photos } = await newGallery(client)
  await page.goto(`/dataset/${photos}/item`)
  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await expect(dialog.getByLabel('Value')).toBeFocused()
  await page.keyboard.type('mill')
  await expect(dialog.getByLabel('Field', { exact: true })).toHaveValue('title')
  const groups = dialog.getByLabel('Operator').locator('optgroup')
  expect(await groups.evaluateAll((all) => all.map((each) => each.getAttribute('label')))).toEqual([
    'Usual',
    'Text',
    'Equality',
    'Order',
    'Length',
  ])
  // By keyboard alone, through the fields without losing one's place.
  const field = dialog.getByLabel('Field', { exact: true })
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await expect(field).toHaveValue('taken_by')
  await expect(field).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(field).toHaveValue('title')
  await dialog.getByLabel('Value').press('Enter')
  await expect(titles(page)).toHaveText(['The mill'])
  await filters(page).getByRole('button', { name: 'title contains mill', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Value')).toBeFocused()
})
