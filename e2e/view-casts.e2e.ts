import type { Page } from '@playwright/test'
import { addItem } from '@vitrine/client'
import { castsOf } from '@vitrine/contract'
import { expect, newName, test } from './app.ts'
import { endLine, suggested, take } from './complete.ts'
import { enterDescription } from './editor.ts'
import { expectAccessible } from './expect-accessible.ts'

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

test('text is cast to numbers with completion, and the preview says what cannot be read', async ({
  page,
  client,
}) => {
  const cities = newName('cities')
  const text = { type: 'string', length: 80 }
  const schema = [
    { name: 'city', ...text },
    { name: 'population', ...text },
    { name: 'site', type: 'url', optional: true },
  ]
  await client.repoCreate({ body: { name: cities, schema } })
  const site = 'https://example.org/'
  await addItem(client, cities, { city: 'Auckland', population: '1530000', site })
  await addItem(client, cities, { city: 'Bonn', population: 'about 330000' })
  await addItem(client, cities, { city: 'Crème-sur-Mer', population: ' 990 ' })

  await page.goto('/addview')
  const name = newName('typed')
  const picked = '{ name: people, from: population, as: '
  await enterDescription(
    page,
    `---\nname: ${name}\nbase: ${cities}\nfields:\n  - city\n  - site\n  - ${picked}`,
  )
  expect(await suggested(page)).toEqual(castsOf('string'))
  await take(page, 'integer')
  await page.keyboard.type(' }')
  await endLine(page)
  await expect(preview(page).getByText('1 value is no integer')).toBeVisible()
  await expectAccessible(page, 'a view with a cast')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Request successful')).toBeVisible()

  await page.goto(`/dataset/${name}/item?order=-people`)
  const cells = page.getByRole('row').locator('td:nth-child(2)')
  await expect(cells).toHaveText(['Auckland', 'Crème-sur-Mer', 'Bonn'])
  const link = page.getByRole('link', { name: site })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')

  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await dialog.getByLabel(/^Field/).selectOption('city')
  await dialog.getByLabel('Operator').selectOption({ label: 'has the words' })
  await dialog.getByLabel('Value').fill('MER creme')
  await page.keyboard.press('Enter')
  await expect(cells).toHaveText(['Crème-sur-Mer'])
})
