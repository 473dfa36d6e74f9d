import type { Page } from '@playwright/test'
import { addItem, type Client } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

const banner = (page: Page) => page.getByRole('complementary', { name: 'State' })
const slider = (page: Page) => page.getByRole('slider', { name: /^As of so many items/ })

async function addStates(client: Client) {
  const notes = newName('notes')
  const top = newName('top')
  await addNotes(client, notes, 5)
  await client.viewCreate({ body: { name: top, base: notes, order: '-createdAt', limit: 2 } })
  return { notes, top }
}

test(
  'a dataset is shown as it was, by its address, and leads to now',
  { tag: '@core' },
  async ({ page, client, console }) => {
    console.expect(/status of 404/)
    const { notes, top } = await addStates(client)
    await page.goto(`/dataset/${notes}@3/item`)
    await expect(banner(page)).toContainText(`As of 3 items of ${notes}`)
    await expect(page.getByText('3 items', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Add item' })).toHaveCount(0)
    await addItem(client, notes, { text: 'later' })
    await page.goto(`/dataset/${top}@2`)
    await expect(banner(page)).toContainText(`As of 2 items of ${notes}`)
    await expect(page.getByRole('button', { name: 'delete' })).toHaveCount(0)
    await page.goto(`/dataset/${notes}@2`)
    await expect(page.getByRole('region', { name: 'Citation' })).toContainText(`${notes}@2.`)
    await expect(page.getByRole('button', { name: /^(Edit metadata|delete)$/ })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0)
    await page.goto(`/dataset/${top}@2`)
    await expect(banner(page)).toContainText(`As of 2 items of ${notes}`)
    await expectAccessible(page, 'a state')
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
    await banner(page).getByRole('link', { name: 'Go to now' }).click()
    await expect(page).toHaveURL(new RegExp(`/dataset/${top}$`))
    await expect(banner(page)).toHaveCount(0)
    await page.goto(`/dataset/${notes}@99`)
    await expect(page.getByRole('alert')).toContainText('repository has fewer items')
  },
)

test('a slider goes through the past by keyboard, with what was added after', async ({
  page,
  client,
}) => {
  const { notes } = await addStates(client)
  await page.goto(`/dataset/${notes}`)
  await slider(page).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '3 of 5 items')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dataset/${notes}@3$`))
  await expect(banner(page)).toContainText('As of 3 items')
  const added = page.getByRole('region', { name: 'States' }).getByText(/^Added after that/)
  await expect(added.getByRole('link', { name: 'summary' })).toBeVisible()
  await added.getByRole('link', { name: 'items' }).click()
  await expect(page).toHaveURL(new RegExp(`/dataset/${notes}/item\\?where=`))
  await page.goBack()
  await expect(banner(page)).toContainText('As of 3 items')
})

test('what changed since a state, of a view with what its limit let go', async ({
  page,
  client,
}) => {
  const { notes, top } = await addStates(client)
  await page.goto(`/dataset/${top}@3`)
  await banner(page).getByRole('link', { name: 'Changes since' }).click()
  await expect(page).toHaveURL(new RegExp(`/dataset/${top}/diff\\?from=3$`))
  const rows = page.getByRole('table', { name: `Changes of ${top}` }).getByRole('row')
  await expect(rows).toHaveText([/^change/, /^removed2/, /^removed3/, /^added4/, /^added5/])
  await expect(page.getByText('2 items', { exact: true })).toHaveCount(2)
  await expectAccessible(page, 'changes')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  await rows.nth(1).getByRole('link', { name: '2', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/dataset/${top}@3/item/2$`))
  await page.goBack()
  await page.getByLabel('to that with so many items').fill('2')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The second state is the later one')).toBeVisible()
  await page.getByLabel('From the state').fill('2')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dataset/${top}@2/diff\\?from=2$`))
  await expect(page.getByText('Both states have the same items')).toBeVisible()
  await page.goto(`/dataset/${notes}/diff?from=0`)
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(6)
})

test('a state and its items are cited', async ({ page, client }) => {
  const { notes } = await addStates(client)
  const note = await (await client.logCheckpoint({ datasetId: notes, size: 5 })).text()
  const root = note.split('\n')[2]!
  await page.goto(`/dataset/${notes}`)
  const cited = page.getByRole('region', { name: 'Citation' })
  await expect(cited).toContainText(`${notes}@5.`)
  await expect(cited).toContainText(root)
  await page.getByLabel('Citation as').selectOption('BibTeX')
  await expect(cited).toContainText('@misc{')
  await page.getByLabel('Citation as').selectOption('CITATION.cff')
  await expect(cited).toContainText('cff-version: 1.2.0')
  await page.goto(`/dataset/${notes}@2/item/1`)
  await page.getByLabel('Citation as').selectOption('Link')
  await expect(cited).toContainText(`/dataset/${notes}@2/item/1`)
  await expectAccessible(page, 'a citation')
})
