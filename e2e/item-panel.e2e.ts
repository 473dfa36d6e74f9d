import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { addEveryType } from './every-type.ts'
import { expectAccessible } from './expect-accessible.ts'
import { observeShifts, shiftsOf } from './observe-shifts.ts'
import { addNotes } from './sample-data.ts'

const panel = (page: Page, id: number) =>
  page.getByRole('region', { name: `Item ${id}`, exact: true })
const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 })
const show = (page: Page, place: number) => page.getByRole('link', { name: 'show' }).nth(place)
const item = (page: Page) => new URL(page.url()).searchParams.get('item')

test(
  'an item is shown beside the table from its row, and the focus comes back',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const cities = await addEveryType(client)
    await page.goto(`/dataset/${cities}/item?order=-people`)
    await expect(page.getByRole('rowheader')).toHaveText(['2', '1', '4', '5', '3'])
    await show(page, 1).focus()
    await page.keyboard.press(' ')
    await expect(heading(page)).toBeFocused()
    await expect(heading(page)).toHaveText('Oslo')
    await expect(panel(page, 1).getByRole('definition').first()).toContainText('Oslo')
    expect(item(page)).toBe('1')
    await expect(page.locator('tr[aria-current]')).toContainText('Oslo')
    await expectAccessible(page, 'an item beside the table')
    await page.keyboard.press('k')
    await expect(heading(page)).toHaveText('Tokyo')
    await expect(heading(page)).toBeFocused()
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('j')
    await expect(panel(page, 4)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel(page, 4)).toHaveCount(0)
    await expect(show(page, 2)).toBeFocused()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ order: '-people' })

    // With the focus in the table it follows the row.
    await page.keyboard.press(' ')
    await expect(heading(page)).toBeFocused()
    await show(page, 2).focus()
    await page.keyboard.press('k')
    await expect(panel(page, 1)).toBeVisible()
    await expect(show(page, 1)).toBeFocused()
    await panel(page, 1).getByRole('button', { name: 'Item above' }).click()
    await expect(panel(page, 2)).toBeVisible()
    await panel(page, 2).getByRole('button', { name: 'Close' }).click()
    await expect(show(page, 0)).toBeFocused()

    await page.getByRole('rowheader', { name: '3', exact: true }).hover()
    await page.getByRole('button', { name: 'name of item 3', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Show item beside the table' }).click()
    await expect(heading(page)).toBeFocused()
    await panel(page, 3).getByRole('link', { name: 'Open item' }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${cities}/item/3`)
  },
)

test('a click on a row shows its item, and its link leads to the page', async ({
  page,
  client,
  server,
}) => {
  const notes = newName('notes')
  const ids = await addNotes(client, notes, 3)
  await page.goto(`/dataset/${notes}/item`)
  await page.getByText('note 2', { exact: true }).click({ force: true })
  await expect(panel(page, ids[1]!)).toBeVisible()
  await page.getByRole('rowheader', { name: String(ids[2]), exact: true }).click()
  await expect(panel(page, ids[2]!)).toBeVisible()
  const opening = page.context().waitForEvent('page')
  const first = page.getByText('note 1', { exact: true })
  await first.click({ force: true, modifiers: ['ControlOrMeta'] })
  await expect(await opening).toHaveURL(`${server.url}/dataset/${notes}/item/${ids[0]}`)
  await expect(panel(page, ids[2]!)).toBeVisible()
  await show(page, 1).click()
  await expect(page).toHaveURL(`${server.url}/dataset/${notes}/item/${ids[1]}`)

  await page.setViewportSize({ width: 1000, height: 800 })
  await page.goto(`/dataset/${notes}/item`)
  await page.getByText('note 3', { exact: true }).click({ force: true })
  await expect(page).toHaveURL(`${server.url}/dataset/${notes}/item/${ids[2]}`)
})

test('the panel leads on to the pages before and after', async ({ page, client }) => {
  const notes = newName('notes')
  const ids = await addNotes(client, notes, 41)
  await page.goto(`/dataset/${notes}/item?item=${ids[19]}`)
  await panel(page, ids[19]!).getByRole('button', { name: 'Item below' }).press('Enter')
  await expect(panel(page, ids[20]!)).toBeVisible()
  await expect(page.getByRole('rowheader').first()).toHaveText(String(ids[20]))
  expect(new URL(page.url()).searchParams.get('page')).toBe('1')
  await page.getByRole('button', { name: 'Item above' }).press('Enter')
  await expect(panel(page, ids[19]!)).toBeVisible()
  await expect(page.locator('tr[aria-current]')).toBeInViewport()
  // With the focus in the table it goes along.
  await show(page, 19).focus()
  await page.keyboard.press('j')
  await expect(panel(page, ids[20]!)).toBeVisible()
  await expect(show(page, 0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(panel(page, ids[21]!)).toBeVisible()
  await expect(show(page, 1)).toBeFocused()
})

test('keys that come before the screen is rendered again lead on from one another', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  const ids = await addNotes(client, notes, 4)
  await page.goto(`/dataset/${notes}/item`)
  await show(page, 0).focus()
  await page.keyboard.press(' ')
  await expect(heading(page)).toBeFocused()
  const press = (...keys: string[]) =>
    page.evaluate((all) => {
      for (const key of all) {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
        document.activeElement!.dispatchEvent(event)
      }
    }, keys)
  await press('j', 'j', 'j', 'k')
  await expect(panel(page, ids[2]!)).toBeVisible()
  await show(page, 2).focus()
  await press('j', 'k')
  await expect(show(page, 2)).toBeFocused()
  await page.keyboard.press('k')
  await expect(panel(page, ids[1]!)).toBeVisible()
  await press('j', 'k')
  await expect(show(page, 1)).toBeFocused()
  await expect(panel(page, ids[1]!)).toBeVisible()
})

test('the item panel stays open over search and paging, and shows an error for a missing item', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 404/)
  const notes = newName('notes')
  const ids = await addNotes(client, notes, 21)
  await observeShifts(page)
  await page.goto(`/dataset/${notes}/item?item=${ids[2]}`)
  // There are more of them until it is known what fields there are.
  await expect(
    panel(page, ids[2]!).getByRole('definition').filter({ hasText: 'note 3' }),
  ).toBeVisible()
  expect(await shiftsOf(page)).toBeLessThan(0.02)
  await page.getByRole('searchbox').fill('20')
  await expect(page.getByRole('rowheader')).toHaveText([String(ids[19])])
  expect(item(page)).toBe(String(ids[2]))
  await page.getByRole('searchbox').fill('')
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByRole('rowheader')).toHaveText([String(ids[20])])
  await expect(panel(page, ids[2]!)).toBeVisible()

  await page.goto(`/dataset/${notes}/item?item=999999`)
  await expect(panel(page, 999_999).getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'an item that is not there')
  await page.setViewportSize({ width: 1000, height: 800 })
  await expect(panel(page, 999_999)).toHaveCount(0)
  await show(page, 0).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Filter for' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Show item' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await show(page, 0).focus()
  await page.keyboard.press(' ')
  await expect(page.getByRole('region', { name: /^Item \d/ })).toHaveCount(0)
})

test('opening an item leaves the scrolled table where it is', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 20)
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto(`/dataset/${notes}/item`)
  await show(page, 19).focus()
  const top = () =>
    page.getByRole('region', { name: `Items of ${notes}` }).evaluate((each) => each.scrollTop)
  await expect.poll(top).toBeGreaterThan(0)
  const before = await top()
  await page.keyboard.press(' ')
  await expect(heading(page)).toBeFocused()
  expect(await top()).toBe(before)
})
