import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Client } from '@vitrine/client'
import { limits, splitPoint, type Item } from '@vitrine/contract'
import { loadDemo } from '../packages/cli/src/demo/load-demo.ts'
import type { OpenedClient } from '../packages/cli/src/sign-in/open-client.ts'
import { writeDemoSets } from '../packages/cli/test/demo-sets.ts'
import { expect, newName, test } from './app.ts'
import { endLine, take } from './complete.ts'
import { editorOf } from './editor.ts'

/** A folder that holds the published sets, such as `npm run demo` leaves; else small ones are written. */
const published = process.env['DEMO_SETS']

async function loadSets(client: Client): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-sets-'))
  if (published === undefined) writeDemoSets(folder)
  const { signal } = new AbortController()
  const showProgress = () => ({ step: () => {}, stop: () => {} })
  const to: OpenedClient = { client, features: ['import'] }
  await loadDemo(to, { setsDir: published ?? folder, cityCount: 3000, showProgress, signal })
  rmSync(folder, { recursive: true })
}

async function allItems(client: Client, datasetId: string): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 0; ; page += 1) {
    const found = await client.datasetItemList({ datasetId, page, pageSize: limits.pageSizeMax })
    items.push(...found)
    if (found.length < limits.pageSizeMax) return items
  }
}

/** An empty editor, with the cursor where one begins to write. */
async function beginView(page: Page, name: string, base: string): Promise<void> {
  await page.goto('/addview')
  await expect(editorOf(page)).toHaveText('---')
  await editorOf(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await take(page, 'name')
  await page.keyboard.type(name)
  await endLine(page)
  await take(page, 'base')
  await take(page, base)
  await endLine(page)
}

/** The preview shows so many items, the view is submitted by keyboard, and paged to its end. */
async function submitAndPage(page: Page, ids: readonly number[]): Promise<void> {
  const count = `${ids.length.toLocaleString('en')} ${ids.length === 1 ? 'item' : 'items'}`
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText(count, { exact: true })).toBeVisible()
  await expect(preview.getByRole('rowheader').first()).toHaveText(String(ids[0]))
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
  await page.getByRole('link', { name: 'Show items' }).click()
  await expect(page.getByText(count, { exact: true })).toBeVisible()

  const shown: number[] = []
  const rows = page.getByRole('rowheader')
  for (let first = 0; first < ids.length; first += limits.pageSize) {
    const expected = ids.slice(first, first + limits.pageSize)
    await expect(rows).toHaveText(expected.map(String))
    shown.push(...expected)
    const next = page.getByRole('link', { name: 'Next' })
    if (shown.length < ids.length) await next.click()
    else if (ids.length > limits.pageSize) await expect(next).toBeDisabled()
  }
  expect(shown).toEqual(ids)
}

test('views are written from nothing with completion alone', async ({ page, client }) => {
  if (published !== undefined) test.setTimeout(900_000)
  await loadSets(client)
  const regions = await allItems(client, 'regions')
  const countries = await allItems(client, 'countries')

  await test.step('flags of countries in Africa', async () => {
    const name = newName('flags-of-africa')
    await beginView(page, name, 'countries')
    await take(page, 'where')
    await take(page, 'region.name')
    await take(page, 'eq')
    await take(page, 'Africa')
    await endLine(page)
    await page.keyboard.press('Backspace')
    await take(page, 'fields')
    await take(page, 'flag')
    await endLine(page)
    await page.keyboard.type('- ')
    await take(page, 'name')
    const africa = regions.find(({ data }) => data['name'] === 'Africa')?.id
    const inAfrica = countries.filter(({ data }) => data['region'] === africa)
    await submitAndPage(
      page,
      inAfrica.map(({ id }) => id),
    )
  })

  await test.step('emoji in Animals & Nature, split 80/10/10 by category', async () => {
    const name = newName('animals')
    await beginView(page, name, 'emoji')
    await take(page, 'where')
    await take(page, 'category.name')
    await take(page, 'eq')
    await take(page, 'Animals & Nature')
    await endLine(page)
    await page.keyboard.press('Backspace')
    await take(page, 'split')
    await take(page, 'by')
    await take(page, 'category')
    await endLine(page)
    await take(page, 'parts')
    await take(page, 'train: 80, val: 10, test: 10')
    await endLine(page)
    await take(page, 'take')
    // They are all of one category, and so stay together, in whichever part that is.
    const category = (await allItems(client, 'emoji_categories')).find(
      ({ data }) => data['name'] === 'Animals & Nature',
    )
    await take(page, partOf(String(category?.id)))
    const animals = (await allItems(client, 'emoji')).filter(
      ({ data }) => data['category'] === category?.id,
    )
    await submitAndPage(
      page,
      animals.map(({ id }) => id),
    )
  })

  await test.step('cities in countries of the EU ordered by name', async () => {
    const name = newName('eu-cities')
    await beginView(page, name, 'cities')
    await take(page, 'where')
    await take(page, 'country.eu_since')
    await take(page, 'empty')
    await take(page, 'false')
    await endLine(page)
    await page.keyboard.press('Backspace')
    await take(page, 'order')
    await take(page, 'name')
    const members = new Set(
      countries.filter(({ data }) => data['eu_since'] !== undefined).map(({ id }) => id),
    )
    const cities = (await allItems(client, 'cities'))
      .filter(({ data }) => members.has(Number(data['country'])))
      .toSorted((a, b) => Buffer.compare(nameOf(a), nameOf(b)))
    await submitAndPage(
      page,
      cities.map(({ id }) => id),
    )
  })
})

/** UTF-8 compares by code point, as views do. */
function nameOf({ data }: Item): Buffer {
  return Buffer.from(data['name'] as string)
}

test('a population is sorted and filtered as a number in three clicks', async ({
  page,
  client,
}) => {
  await loadSets(client)
  await page.addInitScript(() => {
    Object.assign(globalThis, { clicks: 0 })
    addEventListener('pointerdown', () => (globalThis as unknown as Clicks).clicks++, true)
  })
  await page.goto('/dataset/cities/item')
  const populations = page.getByRole('row').locator('td:nth-child(4)')

  await page.getByRole('columnheader', { name: 'population' }).getByRole('button').first().click()
  const greatest = (await allItems(client, 'cities'))
    .map(({ data }) => Number(data['population']))
    .toSorted((a, b) => b - a)
  await expect(populations).toHaveText(greatest.slice(0, limits.pageSize).map(String))
  await page.getByRole('button', { name: 'Add filter' }).click()
  // It begins at the column that the table is sorted by, with the cursor in the value.
  await expect(page.getByLabel('Value')).toBeFocused()
  await page.keyboard.type('5000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Add filter' }).click()

  await expect(page.getByText('population ≥ 5000000')).toBeVisible()
  const large = greatest.filter((people) => people >= 5_000_000)
  await expect(page.getByRole('region', { name: 'Filters' })).toContainText(`${large.length} items`)
  await expect(populations).toHaveText(large.slice(0, limits.pageSize).map(String))
  expect(await page.evaluate(() => (globalThis as unknown as Clicks).clicks)).toBe(3)
})

/** Counter on the page of that test. */
type Clicks = { clicks: number }

/** The part of a key when 100 are dealt to test: 10, train: 80 and val: 10, without a salt. */
function partOf(key: string): string {
  const point = splitPoint(createHash('sha256').update(`\0${key}`).digest('hex'), 100)
  if (point < 10) return 'test'
  return point < 90 ? 'train' : 'val'
}
