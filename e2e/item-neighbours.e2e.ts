import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { holdReplies } from './hold-replies.ts'
import { addNotes } from './sample-data.ts'

const previous = (page: Page) => page.getByRole('link', { name: 'Previous item' })
const next = (page: Page) => page.getByRole('link', { name: 'Next item' })

test('an item leads to those before and after it, by keyboard', async ({ page, client }) => {
  const notes = newName('notes')
  const [first, second, third] = await addNotes(client, notes, 3)
  await page.goto(`/dataset/${notes}/item/${first}`)
  await expect(next(page)).toHaveAttribute('href', `/dataset/${notes}/item/${second}`)
  await expect(page.getByRole('button', { name: 'Previous item' })).toBeDisabled()
  await expectAccessible(page, 'neighbours')
  await next(page).press('Enter')
  await expect(previous(page)).toHaveAttribute('href', `/dataset/${notes}/item/${first}`)
  await expect(next(page)).toHaveAttribute('href', `/dataset/${notes}/item/${third}`)
  await expect(next(page)).toBeFocused()
  await next(page).press('Enter')
  await expect(page.getByRole('button', { name: 'Next item' })).toBeDisabled()
  await expect(page).toHaveURL(new RegExp(`/dataset/${notes}/item/${third}$`))
  await expect(page.getByRole('button', { name: 'Next item' })).toBeFocused()
  await previous(page).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dataset/${notes}/item/${second}$`))
  await expect(page.getByRole('status').filter({ hasText: 'note 2' })).toHaveCount(1)
  await expect(previous(page)).toBeFocused()
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('steps that are pressed while an item loads are taken in their order', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  const [first, second, third, fourth] = await addNotes(client, notes, 4)
  const addressOf = (id?: number) => new RegExp(`/dataset/${notes}/item/${id}$`)
  await page.goto(`/dataset/${notes}/item/${first}`)
  await expect(next(page)).toHaveAttribute('href', `/dataset/${notes}/item/${second}`)
  const release = await holdReplies(page, new RegExp(`/neighbours/${second}`))
  await next(page).press('Enter')
  await expect(page).toHaveURL(addressOf(second))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  release()
  await expect(page).toHaveURL(addressOf(fourth))
  // There is nothing after the last.
  await expect(page.getByRole('button', { name: 'Next item' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.goBack()
  await expect(page).toHaveURL(addressOf(third))
  await page.goBack()
  await expect(page).toHaveURL(addressOf(second))
})

test('an item that was found among others leads to those, also after a reload', async ({
  page,
  client,
}) => {
  const notes = newName('notes')
  const [first, , third] = await addNotes(client, notes, 3)
  const search = `?where={"id":{"neq":${first! + 1}}}&order=-id`
  await page.goto(`/dataset/${notes}/item${search}`)
  await page.getByRole('row').nth(1).getByRole('link', { name: 'show' }).click()
  await expect(page).toHaveURL(new RegExp(`/item/${third}$`))
  await page.reload()
  await next(page).click()
  await expect(page).toHaveURL(new RegExp(`/item/${first}$`))
  await expect(previous(page)).toHaveAttribute('href', `/dataset/${notes}/item/${third}`)
  await expect(page.getByRole('button', { name: 'Next item' })).toBeDisabled()
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Items').click()
  await expect(page.getByRole('button', { name: /^Remove filter/ })).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveText([`${third}`, `${first}`])
})
