import { readFile } from 'node:fs/promises'
import { addItem, type Client } from '@vitrine/client'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { addEveryType } from './every-type.ts'
import { expectAccessible } from './expect-accessible.ts'

const open = (page: Page) =>
  page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: /^Columns/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Columns' })
const fields = (page: Page) => dialog(page).getByRole('list', { name: 'Fields' })
const box = (page: Page, name: string) =>
  fields(page).getByRole('checkbox', { name: new RegExp(`^${name} `) })
const action = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const heads = (page: Page) => page.getByRole('columnheader')
const separator = (page: Page, name: string) =>
  page.getByRole('separator', { name: `Width of ${name}`, exact: true })
const head = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const widthOf = async (page: Page, name: string) =>
  Math.round((await head(page, name).boundingBox())!.width)

/** A repository with so many fields, each with a text, and one item. */
async function addWide(client: Client, count: number): Promise<string> {
  const name = newName('wide')
  const names = Array.from({ length: count }, (_, index) => `field_${index + 1}`)
  await client.repoCreate({
    body: { name, schema: names.map((each) => ({ name: each, type: 'string', length: 200 })) },
  })
  await addItem(client, name, Object.fromEntries(names.map((each) => [each, `text of ${each}`])))
  return name
}

test('columns are hidden, moved and pinned, which is kept for the dataset', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  const other = await addWide(client, 1)
  const address = `/dataset/${cities}/item`
  await page.goto(address)
  await expect(page.getByRole('rowheader')).toHaveCount(5)
  const before = await heads(page).allTextContents()
  expect(before.slice(0, 4)).toEqual(['id', 'name', 'size', 'people'])

  await open(page).click()
  await box(page, 'size').uncheck()
  await action(page, 'Keep people in view').click()
  for (const _ of ['size', 'area']) await action(page, 'Move name down').click()
  await expect(dialog(page).getByRole('status')).toHaveText(/^name is \d+ of \d+$/)
  await expectAccessible(page, 'the choice of columns')
  await page.keyboard.press('Escape')
  await expect(open(page)).toBeFocused()
  await expect(open(page)).toHaveText(/^Columns \(\d+ of \d+\)$/)
  const chosen = ['id', 'people', before[4]!]
  await expect.poll(async () => (await heads(page).allTextContents()).slice(0, 3)).toEqual(chosen)
  await expect(head(page, 'size')).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
  await page.reload()
  await expect.poll(async () => (await heads(page).allTextContents()).slice(0, 3)).toEqual(chosen)
  await page.goto(`/dataset/${other}/item`)
  await expect(open(page)).toHaveText('Columns')

  await page.goto(address)
  await open(page).click()
  await dialog(page).getByRole('checkbox', { name: 'All fields' }).check()
  await expect(box(page, 'size')).toBeChecked()
  await dialog(page).getByRole('checkbox', { name: 'All fields' }).uncheck()
  await expect(heads(page).filter({ visible: true })).toHaveText(['id', 'links'])
  await action(page, 'Reset').click()
  await action(page, 'Close').click()
  await expect(heads(page)).toHaveText(before)
  expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('columns')
})

test('fields are moved by keyboard, and the focus stays with them', async ({ page, client }) => {
  const wide = await addWide(client, 4)
  await page.goto(`/dataset/${wide}/item`)
  await open(page).click()
  await box(page, 'field_1').focus()
  await page.keyboard.press('ArrowDown')
  await expect(box(page, 'field_2')).toBeFocused()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(box(page, 'field_2')).toBeFocused()
  await expect(dialog(page).getByRole('status')).toHaveText('field_2 is 4 of 4')
  await action(page, 'Move field_2 up').focus()
  await page.keyboard.press('Enter')
  await expect(action(page, 'Move field_2 up')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(heads(page)).toHaveText(['id', 'field_1', 'field_3', 'field_2', 'field_4', 'links'])
  await page.getByRole('link', { name: 'show' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('button', { name: 'field_4 of item 1' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('button', { name: 'field_2 of item 1' })).toBeFocused()
})

test('a column gets its width by pointer and by keyboard, and has its own again', async ({
  page,
  client,
}) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item`)
  await expect(page.getByRole('rowheader')).toHaveCount(5)
  const usual = await widthOf(page, 'name')
  await expect(separator(page, 'name')).toHaveAttribute('aria-valuenow', String(usual))
  const { x, y, width, height } = (await separator(page, 'name').boundingBox())!
  const [from, middle] = [x + width / 2, y + height / 2]
  await page.mouse.move(from, middle)
  await page.mouse.down()
  for (const step of [10, 60, 120]) await page.mouse.move(from + step, middle)
  await page.mouse.up()
  await expect.poll(() => widthOf(page, 'name')).toBe(usual + 120)
  await expect(separator(page, 'name')).toHaveAttribute('aria-valuenow', String(usual + 120))
  await page.reload()
  await expect.poll(() => widthOf(page, 'name')).toBe(usual + 120)

  await separator(page, 'name').focus()
  for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press('Shift+ArrowLeft')
  // Narrower than its values and its name.
  await expect.poll(() => widthOf(page, 'name')).toBe(56)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => widthOf(page, 'name')).toBe(72)
  await page.keyboard.press('ArrowDown')
  await expect(separator(page, 'size')).toBeFocused()
  await page.keyboard.press('Shift+ArrowRight')
  await expectAccessible(page, 'columns with widths')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => widthOf(page, 'name')).toBe(usual)
  const sized = await widthOf(page, 'size')
  await separator(page, 'size').dblclick()
  await expect.poll(() => widthOf(page, 'size')).toBeLessThan(sized)
  expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('columns')
})

test('pinned columns stay in view beside the ids, as far as there is room', async ({
  page,
  client,
  server,
}) => {
  const wide = await addWide(client, 100)
  await page.goto(`/dataset/${wide}/item?heads=statistics`)
  await open(page).click()
  await action(page, 'Keep field_100 in view').click()
  await action(page, 'Keep field_50 in view').click()
  await action(page, 'Close').click()
  const left = (name: string) =>
    head(page, name).evaluate((each) => each.getBoundingClientRect().left)
  const frame = page.getByRole('region', { name: `Items of ${wide}` })
  await expect(head(page, 'field_50')).toBeVisible()
  const places = [await left('id'), await left('field_50'), await left('field_100')]
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  await frame.evaluate((each) => each.scrollTo({ left: 4000 }))
  await expect.poll(() => left('field_1')).toBeLessThan(0)
  expect([await left('id'), await left('field_50'), await left('field_100')]).toEqual(places)
  await expectAccessible(page, 'pinned columns')

  // What gets the focus is not below them.
  await page.getByRole('link', { name: 'show' }).focus()
  await page.keyboard.press('ArrowLeft')
  for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('ArrowLeft')
  const focused = page.locator(':focus')
  const covered = await focused.evaluate((each) => {
    const { x, y, width, height } = each.getBoundingClientRect()
    return !each.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect(covered).toBe(false)

  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await frame.evaluate((each) => each.scrollTo({ left: 4000 }))
  await expect.poll(() => left('field_100')).toBeLessThan(0)
  await open(page).click()
  await expectAccessible(page, 'the choice of columns in a narrow window')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await action(page, 'Close').click()

  // A pinned cell lies over its row's link, and is clicked for it as well.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByTitle('text of field_50', { exact: true }).click({ force: true })
  await expect(page).toHaveURL(`${server.url}/dataset/${wide}/item?heads=statistics&item=1`)
})

test('a field that is new is shown, and what was hidden is exported', async ({ page, client }) => {
  const wide = await addWide(client, 3)
  await page.goto(`/dataset/${wide}/item`)
  await open(page).click()
  await box(page, 'field_1').uncheck()
  await action(page, 'Move field_3 up').click()
  await action(page, 'Close').click()
  await expect(heads(page)).toHaveText(['id', 'field_3', 'field_2', 'links'])
  const { schema } = await client.datasetGet({ datasetId: wide })
  const more = { name: 'more', type: 'string', length: 9, optional: true }
  await client.repoExtend({ datasetId: wide, body: { name: wide, schema: [...schema, more] } })
  await page.reload()
  await expect(heads(page)).toHaveText(['id', 'field_3', 'field_2', 'more', 'links'])
  // A download is gathered where no dialog of the operating system can be answered.
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
  await page.getByRole('button', { name: 'Export' }).press('Enter')
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  expect(text.split('\r\n')[0]).toBe('id,createdAt,field_1,field_2,field_3,more')
})

test('a gallery has no columns to choose', async ({ page, client }) => {
  const cities = await addEveryType(client)
  await page.goto(`/dataset/${cities}/item`)
  await expect(open(page)).toBeVisible()
  await page.getByRole('button', { name: 'Gallery' }).click()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(open(page)).toHaveCount(0)
})
