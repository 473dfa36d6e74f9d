import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes } from './sample-data.ts'

test('a view without items says why, on each of its screens', async ({ page, client }) => {
  const [notes, none, above, bare, derived] = [1, 2, 3, 4, 5].map(() => newName('notes')) as [
    string,
    string,
    string,
    string,
    string,
  ]
  await addNotes(client, notes, 3)
  await client.viewCreate({
    body: { name: none, base: notes, where: { text: { eq: 'Note 1' }, id: { gt: 1 } } },
  })
  await client.viewCreate({ body: { name: above, base: none } })
  await addNotes(client, bare)
  await client.viewCreate({ body: { name: derived, base: bare, limit: 3 } })
  const why = page.getByRole('region', { name: 'Why the view is empty' })
  const steps = why.getByRole('listitem')

  for (const screen of ['', '/item', '/summary']) {
    await page.goto(`/dataset/${none}${screen}`)
    await expect(page.getByText('Dataset has no Items')).toBeVisible()
    await expect(why).toContainText('text: { eq: Note 1 } lets no item through.')
    await expect(steps).toContainText([`${notes}3`, 'id: { gt: 1 }2', 'text: { eq: Note 1 }0'])
    await expect(steps.last()).toContainText('0')
    await expect(why.getByRole('button')).toHaveCount(0)
  }
  await expectAccessible(page, 'why a view is empty')
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  // A view on it leads to it, and a view on an empty repository to that.
  await page.goto(`/dataset/${above}/item`)
  await expect(why).toContainText(`${none}, which it is derived from, has no items.`)
  await why.getByRole('link', { name: none }).click()
  await expect(why).toContainText('lets no item through.')
  await page.goto(`/dataset/${derived}`)
  await expect(why).toContainText(`${bare}, which it is derived from, has no items.`)

  // A repository is empty until something is added, and a filter is explained by what it says.
  await page.goto(`/dataset/${bare}/item`)
  await expect(page.getByRole('main').getByRole('link', { name: 'Add item' })).toHaveCount(2)
  await expect(why).toHaveCount(0)
})
