import { addItem } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { addEveryType } from './every-type.ts'
import { expectAccessible } from './expect-accessible.ts'
import { observeShifts, shiftsOf } from './observe-shifts.ts'
import { picture } from './sample-data.ts'

const factsOf = (page: Page, field: string) =>
  page.getByRole('region', { name: field, exact: true }).getByRole('definition')
const asked = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test(
  'a summary says what the values of each field are, and leads to the items that have them',
  { tag: '@core' },
  async ({ page, client }) => {
    const cities = newName('cities')
    await client.repoCreate({
      body: {
        name: cities,
        schema: [
          { name: 'name', type: 'string', length: 5000 },
          { name: 'people', type: 'integer', optional: true },
          { name: 'founded', type: 'date', optional: true },
          { name: 'coastal', type: 'boolean', optional: true },
          { name: 'seen', type: 'timestamp', optional: true },
          { name: 'facts', type: 'json', optional: true },
          { name: 'flag', type: 'binary', mime: 'image/png', optional: true },
        ],
      },
    })
    const flag = new Blob([picture()], { type: 'image/png' })
    const seen = '2026-01-31T09:30:00Z'
    await addItem(client, cities, { name: 'Ulm', people: '128928', founded: '0854-07-22', flag })
    await addItem(client, cities, { name: 'Ulm', people: '16', coastal: 'false', facts: '{"a":1}' })
    await addItem(client, cities, { name: 'Kiel', people: '246243', coastal: 'true', seen })
    await addItem(client, cities, { name: 'A long name without an end '.repeat(100) })

    await page.goto(`/dataset/${cities}/item?q=ulm&order=name`)
    await page.getByRole('link', { name: 'Summary' }).click()
    await expect.poll(() => asked(page)).toEqual({ q: 'ulm' })
    await expect(factsOf(page, 'people').nth(1)).toHaveText('2')

    await page.goto(`/dataset/${cities}/item`)
    await page.getByRole('link', { name: 'Summary' }).click()
    await expect(page.getByText('4 items', { exact: true })).toBeVisible()
    await expect(factsOf(page, 'people')).toHaveText([
      'integer',
      '3',
      '1',
      '3',
      '16',
      '246,243',
      '125,062',
    ])
    await expect(factsOf(page, 'name').first()).toHaveText('string')
    await expectAccessible(page, 'summary')
    await page.setViewportSize({ width: 320, height: 800 })
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(320)

    await page.getByRole('link', { name: 'Ulm', exact: true }).click()
    await expect.poll(() => asked(page)).toEqual({ where: '{"name":{"eq":"Ulm"}}' })
    await page.goBack()
    const people = page.getByRole('figure', { name: 'Values of people' })
    await people.getByText('As a list').click()
    await people.getByRole('link', { name: '0 to 10,000', exact: true }).click()
    await expect.poll(() => asked(page)).toEqual({ where: '{"people":{"gte":0,"lt":10000}}' })
    await expect(page.getByRole('row')).toHaveCount(2)

    await page.goto(`/dataset/${cities}/summary?where={"name":{"eq":"Ulm"}}`)
    await expect(page.getByText('2 items that pass the filters', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'false', exact: true }).click()
    await expect
      .poll(() => asked(page))
      .toEqual({ where: '{"name":{"eq":"Ulm"},"coastal":{"eq":false}}' })
  },
)

test('a dataset without items has an empty summary', async ({ page, client }) => {
  const empty = newName('empty')
  await client.repoCreate({ body: { name: empty, schema: [{ name: 'name', type: 'string' }] } })
  await page.goto(`/dataset/${empty}`)
  await page.getByRole('link', { name: 'Summary' }).click()
  await expect(page.getByText('Dataset has no Items')).toBeVisible()
})

test('nothing of a summary moves while it fills up', async ({ page, client }) => {
  const cities = await addEveryType(client)
  await observeShifts(page)
  let looked = 0
  await page.route(/\/api\/dataset\/[^/]+\/summary(?:\?|$)/, async (route) => {
    const reply = await route.fetch()
    looked += 1
    const isPart = looked < 3
    const body = (await reply.json()) as { items: number; fields: object[] }
    const scanned = { 'vitrine-scanned': `${looked}/5` }
    const seen = {
      items: looked * 1_000_000,
      exact: false,
      // Nothing is known of them at first.
      fields: body.fields.map((field) => ({
        ...field,
        present: looked * 1_000_000,
        ...(looked === 1 && { distinct: 0, commonest: [] }),
      })),
    }
    await route.fulfill({
      response: reply,
      headers: { ...reply.headers(), ...(isPart && scanned) },
      json: { ...body, ...(isPart && seen) },
    })
  })
  for (const width of [390, 1440]) {
    looked = 0
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/dataset/${cities}/summary`)
    await expect(page.getByText('so far')).toBeVisible()
    await expect(factsOf(page, 'people').first()).toHaveText('integer')
    await expect(page.getByText('so far')).toBeHidden()
    await expect(page.getByRole('figure').first()).toBeVisible()
    expect(await shiftsOf(page), `at ${width}`).toBe(0)
  }
})

test('values that nearly all differ are not listed, and the commonest has the longest bar', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  const schema = ['text', 'kind'].map((name) => ({ name, type: 'string', length: 40 }))
  await client.repoCreate({ body: { name: notes, schema } })
  for (let at = 0; at < 22; at += 1) {
    await addItem(client, notes, { text: `note ${at}`, kind: at % 3 === 0 ? 'long' : 'short' })
  }
  await page.goto(`/dataset/${notes}/summary`)
  const bars = page.getByRole('table', { name: 'Commonest values of kind' })
  await expect(bars.getByRole('row')).toHaveText([/^short\s*14/, /^long\s*8/])
  const shares = await bars.locator('td[aria-hidden]').evaluateAll((cells) =>
    cells.map((cell) => {
      const { width } = cell.firstElementChild!.getBoundingClientRect()
      return Math.round((100 * width) / (cell.clientWidth || 1))
    }),
  )
  // The cell has some room around it.
  expect(shares[0]).toBeGreaterThan(85)
  expect(shares[1]! / shares[0]!).toBeCloseTo(8 / 14, 1)
  await expect(page.getByRole('table', { name: 'Commonest values of text' })).toHaveCount(0)
})
