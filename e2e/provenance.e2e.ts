import { expect, newName, test } from './app.ts'
import { addNotes } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

test('pages of datasets and items say who made and added them', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 1)
  await page.goto(`/dataset/${notes}`)
  const facts = page.getByRole('definition')
  await expect(facts.filter({ hasText: /^admin$/ })).toBeVisible()
  await page.goto(`/dataset/${notes}/item/1`)
  await expect(page.getByText(/^added .* by admin$/)).toBeVisible()
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await sidewaysOverflow(page)).toBe(0)
})
