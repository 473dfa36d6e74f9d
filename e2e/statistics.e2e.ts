import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { addEveryType } from './every-type.ts'
import { expectAccessible } from './expect-accessible.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

const statisticsOf = (page: Page, field: string) =>
  page.getByRole('group', { name: `Statistics of ${field}` })
const marks = (page: Page, field: string) => statisticsOf(page, field).getByRole('button')
/** The button of a value, such as `size small: 3 items`. */
const value = (page: Page, name: string) =>
  page.getByRole('button', {
    name: new RegExp(`^${name.replace(/[()]/g, '\\$&').replace(':', ' ?:')}$`),
  })
const toggle = (page: Page) => page.getByRole('button', { name: 'Statistics', exact: true })
const found = (page: Page) => page.getByRole('region', { name: 'Filters' }).getByRole('status')
const where = (page: Page) => new URL(page.url()).searchParams.get('where')

test('statistics below the heads of columns are filters, which find as many items as they say', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item`)
  await expect(page.getByRole('row')).toHaveCount(6)
  await expect(statisticsOf(page, 'people')).toHaveCount(0)
  await toggle(page).click()
  await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(statisticsOf(page, 'people').getByRole('definition')).toHaveText(['4', '1', '4'])
  await expect(statisticsOf(page, 'people')).toContainText('-537,036,200')
  await expect(statisticsOf(page, 'land')).toContainText('Norway')
  await expect(marks(page, 'facts')).toHaveText('3')
  await expectAccessible(page, 'statistics')

  const all = page.getByRole('group', { name: /^Statistics of/ }).getByRole('button')
  await expect(all.filter({ hasText: 'Norway' })).toHaveAccessibleName(/^land Norway 1 ?: 2 items$/)
  const names = await all.evaluateAll((buttons) =>
    buttons.map((button) => button.ariaLabel ?? button.textContent),
  )
  for (const start of [
    'name Oslo',
    'name (empty)',
    'size small',
    'people missing',
    'area',
    'coastal true',
    'founded 1',
    'seen 2026',
    'site https://example.org/',
    'facts missing',
    'land Norway',
    'flag image/gif',
    'map, bytes',
  ]) {
    expect(names.filter((name) => name.startsWith(start)).length, start).toBeGreaterThan(0)
  }
  const fields = ['name', 'size', 'people', 'area', 'coastal', 'founded', 'seen', 'site']
  for (const field of [...fields, 'facts', 'land', 'flag', 'map']) {
    const buttons = marks(page, field)
    // What is chosen in a column changes the others, not its own.
    for (const button of await buttons.all()) {
      const name = await button.evaluate((each) => each.ariaLabel ?? each.textContent)
      const items = / (\d+ items?)$/.exec(name)![1]!
      if (items === '0 items') continue
      await button.click()
      await expect(button).toHaveAttribute('aria-pressed', 'true')
      await expect(found(page), name).toHaveText(items)
      await button.click()
      await expect(button).toHaveAttribute('aria-pressed', 'false')
      await expect(found(page)).toBeHidden()
      expect(where(page), name).toBeNull()
    }
  }
})

test('statistics follow what is asked, and what was chosen in a column leaves the others there', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item?heads=statistics`)
  await value(page, 'size small: 3 items').click()
  await expect.poll(() => where(page)).toBe('{"size":{"eq":"small"}}')
  await expect(statisticsOf(page, 'people').getByRole('definition')).toHaveText(['2', '1', '2'])
  await expect(value(page, 'size large: 2 items')).toBeVisible()
  await value(page, 'coastal false: 1 item').click()
  await expect.poll(() => where(page)).toBe('{"size":{"eq":"small"},"coastal":{"eq":false}}')
  await expect(value(page, 'size small: 1 item')).toBeVisible()
  await page.goBack()
  await expect(value(page, 'size large: 2 items')).toBeVisible()
  await value(page, 'size large: 2 items').click()
  await expect.poll(() => where(page)).toBe('{"size":{"eq":"large"}}')
  await page.reload()
  await expect(value(page, 'size large: 2 items')).toHaveAttribute('aria-pressed', 'true')
  await toggle(page).click()
  await expect(statisticsOf(page, 'people')).toHaveCount(0)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    where: '{"size":{"eq":"large"}}',
  })
})

test('statistics are reached by keyboard, one stop for each column', async ({ page, client }) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item?heads=statistics`)
  const first = value(page, 'name Oslo: 2 items')
  await first.focus()
  await page.keyboard.press('ArrowDown')
  await expect(value(page, 'name (empty): 1 item')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(value(page, 'size small: 3 items')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect.poll(() => where(page)).toBe('{"size":{"eq":"large"}}')
  await expect(value(page, 'size large: 2 items')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('toolbar', { name: 'Values of name' })).toContainText('Oslo')
  await page.keyboard.press('Tab')
  await expect(value(page, 'size large: 2 items')).toBeFocused()
})

test('statistics say what is an estimate and what is a part, and are as high while they load', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  let pass = () => {}
  const held = new Promise<void>((resolve) => {
    pass = resolve
  })
  let isPart = true
  await page.route(/\/summary\?/, async (route) => {
    const reply = await route.fetch()
    const body = (await reply.json()) as { fields: object[] }
    await held
    const headers = { ...reply.headers(), ...(isPart && { 'vitrine-scanned': '5/3000000' }) }
    const fields = body.fields.map((field) => ({ ...field, estimated: true, uncounted: 1 }))
    await route.fulfill({
      response: reply,
      headers,
      json: { ...body, exact: !isPart, fields },
    })
  })
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/dataset/${cities}/item?heads=statistics`)
    await expect(page.getByText('Tokyo', { exact: true }).first()).toBeVisible()
    const boxes = () =>
      Promise.all(
        [statisticsOf(page, 'size'), page.getByRole('row').last()].map((each) =>
          each.boundingBox(),
        ),
      )
    const before = await boxes()
    pass()
    await expect(statisticsOf(page, 'size')).toContainText('about 2')
    expect(await boxes()).toEqual(before)
    await expect(value(page, 'size small: at least 3 items')).toBeVisible()
    expect(await sidewaysOverflow(page)).toBe(0)
  }
  await expect(statisticsOf(page, 'size so far')).toContainText('present so far')
  await expect(page.getByText('looked at 0.0 of 3.0 million so far')).toBeVisible()
  isPart = false
  await expect(page.getByText('looked at')).toBeHidden()
  await expect(statisticsOf(page, 'size so far')).toHaveCount(0)
})

test('statistics that cannot be had say why, and are asked for again', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 500/)
  const cities = await addEveryType(client)
  let fails = true
  await page.route(/\/summary\?/, (route) =>
    fails ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await page.goto(`/dataset/${cities}/item?heads=statistics`)
  // Columns come with the items, and ask once more for what failed before.
  await expect(statisticsOf(page, 'size')).toBeVisible()
  await expect(page.getByRole('alert').first()).toContainText('unknown error')
  fails = false
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await expect(value(page, 'size small: 3 items')).toBeVisible()
})

test('a column is filtered from its head, by a value with its count or by a condition', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item`)
  await page.getByRole('button', { name: 'Filter by land' }).focus()
  await page.keyboard.press('Enter')
  const norway = statisticsOf(page, 'land').getByRole('button', { name: 'Norway' })
  await expect(norway).toBeVisible()
  await expectAccessible(page, 'a filter from a head')
  await norway.click()
  await expect(norway).toHaveAttribute('aria-pressed', 'true')
  await expect(found(page)).toHaveText('2 items')
  await page.keyboard.press('Escape')
  await expect(statisticsOf(page, 'land')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Filter by land' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'land is Norway', exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Filter by people' }).click()
  await page.getByRole('button', { name: 'Another condition' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await expect(dialog.getByLabel('Field', { exact: true })).toHaveValue('people')
  await expect(
    dialog.getByLabel('Operator').locator('optgroup').first().locator('option'),
  ).toHaveText(['≥', '≤', 'is between', 'is', 'is missing or empty'])
  await dialog.getByLabel('Value').fill('1')
  await dialog.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByRole('button', { name: 'people ≥ 1', exact: true })).toBeVisible()
})
