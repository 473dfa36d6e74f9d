import { expect, newName, signedOut, test } from './app.ts'
import { addNotes } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { clientOf, signIn } from './sign-in.ts'

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

test.describe('a server that announces no features', () => {
  test.use(signedOut)

  test('is not asked who it was', async ({ page, launchOther }) => {
    const other = await launchOther()
    other.withhold()
    await signIn(page, other.url)
    await addNotes(await clientOf(page), 'notes', 1)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${other.url}/dataset/notes`)
    await expect(page.getByText('created at')).toBeVisible()
    await expect(page.getByText('created by')).toHaveCount(0)
    await page.goto(`${other.url}/dataset/notes/item/1`)
    await expect(page.getByText(/^added /)).not.toContainText(' by ')
    expect(asked.filter((path) => /provenance|author/.test(path))).toEqual([])
  })
})
