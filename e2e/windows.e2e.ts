import type { Locator, Page } from '@playwright/test'
import { addItem } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { addNotes } from './sample-data.ts'
import { fillScreens } from './screens.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

/** The longest name that a dataset may have. */
const longName = (word: string) => newName(word).padEnd(128, '-long')

for (const [names, name] of [
  ['names of 128 characters', longName],
  ['short names', newName],
] as const) {
  test(`every screen fits windows of 320 to 2560 pixels with ${names}`, async ({
    page,
    client,
  }) => {
    const screens = await fillScreens(client, name)
    for (const { path, shows, name: screen } of screens) {
      await page.goto(path)
      await expect(page.getByRole('main')).toContainText(shows)
      for (const width of [320, 390, 1440, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        const place = `${screen} at ${width}`
        await expect.poll(() => sidewaysOverflow(page), place).toBe(0)
        await expect.poll(() => burstTables(page), place).toBe(0)
        await expect(page.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 })
      }
    }
  })
}

test('the links of a row with a long name are in view', async ({ page, client }) => {
  const notes = longName('notes')
  await addNotes(client, notes)
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/repo/')
    const row = page.getByRole('row').filter({ hasText: notes })
    for (const link of ['items', 'details', 'add item']) {
      await row.getByRole('link', { name: link, exact: true }).scrollIntoViewIfNeeded()
      await expect(row.getByRole('link', { name: link, exact: true })).toBeInViewport({ ratio: 1 })
    }
  }
})

test('printed, a screen is its content, with every column whole', async ({ page, client }) => {
  const wide = newName('wide')
  const names = Array.from({ length: 8 }, (_, index) => `column_${index + 1}`)
  await client.repoCreate({
    body: { name: wide, schema: names.map((name) => ({ name, type: 'string', length: 200 })) },
  })
  const long = 'a text of more than one line in its cell, '.repeat(3)
  await addItem(client, wide, Object.fromEntries(names.map((name) => [name, `${name}: ${long}`])))
  // The width of A4 less its margins, at 96 pixels an inch.
  await page.setViewportSize({ width: 718, height: 1000 })
  await page.goto(`/dataset/${wide}/item`)
  await expect(page.getByRole('table')).toContainText('column_8: ')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Export' })).toBeHidden()
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
      .filter((each) => getComputedStyle(each).overflowX !== 'visible')
      .map((each) => `${each.tagName} ${each.className}`),
  )
  expect(cut, 'what is cut off').toEqual([])
  expect(await sidewaysOverflow(page)).toBe(0)
})

test('printed, every screen is dark on light, also where it is light on dark in a window', async ({
  page,
  client,
}) => {
  const screens = await fillScreens(client)
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  for (const { path, shows, name } of screens) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText(shows)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    expect(await lightOrOnDark(page), name).toEqual([])
  }
})

test('a wide window is used, and a table of few columns is not torn apart', async ({
  page,
  client,
}) => {
  const few = newName('few')
  await addNotes(client, few, 1)
  const many = newName('many')
  const names = Array.from({ length: 14 }, (_, index) => `column_${index + 1}`)
  await client.repoCreate({
    body: { name: many, schema: names.map((name) => ({ name, type: 'string', length: 200 })) },
  })
  await addItem(client, many, Object.fromEntries(names.map((name) => [name, `a text in ${name}`])))
  await page.setViewportSize({ width: 2560, height: 1440 })
  const items = (name: string) => page.getByRole('region', { name: `Items of ${name}` })
  const widthOf = async (shown: Locator) => (await shown.boundingBox())!.width

  await page.goto(`/dataset/${many}/item`)
  await expect(page.getByRole('table')).toContainText('a text in column_14')
  expect(await items(many).evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  expect(await widthOf(items(many))).toBeGreaterThan(2400)
  await page.goto(`/dataset/${few}/item`)
  await expect(page.getByRole('table')).toContainText('note 1')
  expect(await widthOf(items(few))).toBeLessThan(1400)
  // In a usual window it ends where the page does.
  for (const width of [1000, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const { x, width: shown } = (await items(few).boundingBox())!
    expect(x + shown).toBe(width - x)
  }
  await page.setViewportSize({ width: 2560, height: 1440 })

  await page.goto('/dataset/')
  await expect(page.getByRole('table')).toContainText(few)
  expect(await widthOf(page.getByRole('table'))).toBeGreaterThan(2400)
  await page.goto(`/repo/${many}/additem`)
  await expect(page.getByRole('textbox', { name: 'column_1', exact: true })).toBeVisible()
  expect(await widthOf(page.getByRole('textbox', { name: 'column_1', exact: true }))).toBeLessThan(
    800,
  )
})

test('the address of the usual icon has one', async ({ page, server }) => {
  const reply = await page.request.get(`${server.url}/favicon.ico`)
  expect(reply.status()).toBe(200)
  expect((await reply.body()).subarray(0, 4).toString('hex'), 'the ICO signature').toBe('00000100')
})

test('the tab of a description’s kind is marked while it is written', async ({ page }) => {
  const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')
  for (const [path, tab] of [
    ['/addrepo', 'Repos'],
    ['/addview', 'Views'],
    ['/repo/', 'Repos'],
    ['/view/', 'Views'],
    ['/dataset/', 'Datasets'],
  ] as const) {
    await page.goto(path)
    await expect(current).toHaveText(tab)
  }
})

test('a value reads in its own direction', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes)
  const arabic = 'مرحبا بالعالم!'
  const id = await addItem(client, notes, { text: arabic })
  const direction = (shown: Locator) =>
    shown.getByText(arabic, { exact: true }).evaluate((each) => getComputedStyle(each).direction)
  await page.goto(`/dataset/${notes}/item`)
  await expect.poll(() => direction(page.getByRole('cell'))).toBe('rtl')
  await page.goto(`/dataset/${notes}/item/${id}`)
  await expect.poll(() => direction(page.getByRole('definition'))).toBe('rtl')
  await expect.poll(() => direction(page.getByRole('heading', { level: 1 }))).toBe('rtl')
  await page.goto(`/repo/${notes}/additem`)
  const input = page.getByRole('textbox', { name: 'text' })
  await input.fill(arabic)
  expect(await input.evaluate((each) => getComputedStyle(each).direction)).toBe('rtl')
})

test('wide windows have the sections of a dataset and of an item side by side', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  const [id] = await addNotes(client, notes, 1)
  const leftOf = async (name: string) => {
    const heading = page.getByRole('heading', { name, exact: true })
    await expect(heading).toBeVisible()
    return (await heading.boundingBox())!.x
  }
  for (const [width, isWide] of [
    [1440, false],
    [2560, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/dataset/${notes}`)
    expect((await leftOf('Schema')) > (await leftOf('Growth'))).toBe(isWide)
    await page.goto(`/dataset/${notes}/item/${id}`)
    expect((await leftOf('Seal')) > (await leftOf('note 1'))).toBe(isWide)
  }
})

/** How many tables are wider than the frame that holds them, and do not scroll in it. */
function burstTables(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      [...document.querySelectorAll('table')].filter(({ parentElement: frame, offsetWidth }) => {
        const scrolls = getComputedStyle(frame!).overflowX !== 'visible'
        return !scrolls && offsetWidth > frame!.clientWidth
      }).length,
  )
}

/** The texts and inputs of a page that are light, or on what is dark. */
function lightOrOnDark(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const lightness = (color: string) => {
      const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g)!.map(Number)
      // What is mixed of two colours is told in parts of 1.
      const most = color.startsWith('color(') ? 1 : 255
      return alpha < 0.5 ? undefined : (red! + green! + blue!) / 3 / most
    }
    const groundOf = (each: Element | null): number =>
      each === null
        ? 1
        : (lightness(getComputedStyle(each).backgroundColor) ?? groundOf(each.parentElement))
    const isText = ({ nodeType, textContent }: ChildNode) =>
      nodeType === Node.TEXT_NODE && textContent!.trim() !== ''
    return [...document.querySelectorAll('body *')]
      .filter((each) => each.checkVisibility())
      .filter(
        (each) => each.matches('input, select, textarea') || [...each.childNodes].some(isText),
      )
      .filter(
        (each) => groundOf(each) < 0.8 || (lightness(getComputedStyle(each).color) ?? 0) > 0.6,
      )
      .map((each) => `${each.tagName} ${each.className}: ${each.textContent}`)
  })
}

test('on paper the words of a search are a text, without the box', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 2)
  await page.goto(`/dataset/${notes}/item?q=note`)
  await expect(page.getByText('Search: note')).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Search: note')).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeHidden()
})
