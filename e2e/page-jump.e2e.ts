import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { holdReplies } from './hold-replies.ts'
import { addNotes } from './sample-data.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Page' })
const pager = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const note = (page: Page, number: number) => page.getByText(`note ${number}`, { exact: true })

test('a page is reached by its number, and what is beyond the last is the last', async ({
  page,
  client,
  server,
}) => {
  const notes = newName('notes')
  await addNotes(client, notes, 61)
  const address = `${server.url}/dataset/${notes}/item`
  await page.goto(address)
  await expect(pager(page)).toContainText('of 4')
  await field(page).focus()
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${address}?page=2`)
  await expect(note(page, 41)).toBeVisible()
  await expect(field(page)).toHaveValue('3')
  await expect(field(page)).toBeFocused()
  await expect(pager(page)).toContainText('41–60 of 61')
  await expect(pager(page).getByRole('link')).toHaveText(['Prev', 'Next'])
  await field(page).fill('1,000')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${address}?page=3`)
  await expect(note(page, 61)).toBeVisible()
  await expect(field(page)).toHaveValue('4')
  for (const text of ['two', '-1', '']) {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveValue('4')
  }
  await field(page).fill('2')
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveValue('4')
  await page.goBack()
  await expect(field(page)).toHaveValue('3')
  await field(page).fill('0')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(address)
  await expect(note(page, 1)).toBeVisible()

  // Of what passes a filter, and it stays in the address.
  await page.goto(`${address}?where={"text":{"contains":"note 1"}}`)
  await expect(note(page, 1)).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  await page.goto(`${address}?where={"text":{"neq":"note 1"}}&order=-text`)
  await expect(pager(page)).toContainText('of 3')
  await field(page).fill('3')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ where: '{"text":{"neq":"note 1"}}', order: '-text', page: '2' })
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await expectAccessible(page, `a pager at ${width}`)
  }
})

test('a listing that fits on one page has no field to go to another', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 20)
  await page.goto(`/dataset/${notes}/item`)
  // At exactly a page there may be another, as far as the page itself tells.
  await expect(pager(page)).toContainText('1–20 of 20')
  await expect(field(page)).toHaveCount(0)
})

test('Next that is pressed again while its page loads leads to the page after', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  await addNotes(client, notes, 61)
  const release = await holdReplies(page, /\/item\?page=1/)
  await page.goto(`/dataset/${notes}/item`)
  await expect(note(page, 1)).toBeVisible()
  await pager(page).getByRole('link', { name: 'Next' }).press('Enter')
  await expect(page).toHaveURL(/\?page=1$/)
  await page.keyboard.press('Enter')
  release()
  await expect(note(page, 41)).toBeVisible()
  await expect(page).toHaveURL(/\?page=2$/)
  await page.goBack()
  await expect(page).toHaveURL(/\?page=1$/)
})
