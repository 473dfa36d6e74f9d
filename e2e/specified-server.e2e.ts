import { expect, newName, test } from './app.ts'
import { addOnePhoto } from './sample-data.ts'
import { withholdFeature } from './withhold-feature.ts'

test('a server of the sixteen calls alone has the screens as they are specified', async ({
  page,
  client,
}) => {
  const [people, photos, seen] = [newName('people'), newName('photos'), newName('seen')]
  const { person, id } = await addOnePhoto(client, { people, photos })
  await client.viewCreate({ body: { name: seen, base: photos, fields: ['title'] } })
  await withholdFeature(page)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname + search)
  })

  for (const list of ['dataset', 'repo', 'view']) {
    await page.goto(`/${list}/`)
    await expect(page.getByRole('rowheader').first()).toBeVisible()
    expect(calls).toContain(`/api/${list}?page=0&pageSize=20`)
  }

  await page.goto(`/dataset/${photos}`)
  await expect(page.getByText('"type": "reference"')).toBeVisible()
  await page.goto(`/dataset/${seen}`)
  await expect(page.getByText(`"base": "${photos}"`)).toBeVisible()

  await page.goto(`/dataset/${photos}/item/${id}`)
  const reference = `/dataset/${people}/item/${person}`
  await expect(page.getByRole('link', { name: reference })).toHaveAttribute('href', reference)
  const image = page.getByRole('definition').filter({ hasText: 'mime type image/png' })
  await expect(page.getByRole('img', { name: 'image' })).toHaveCount(0)
  await image.getByRole('button', { name: 'show' }).click()
  await expect(page.getByRole('img', { name: 'image' })).toBeVisible()
  await image.getByRole('button', { name: 'hide' }).click()
  await expect(page.getByRole('img', { name: 'image' })).toHaveCount(0)
  const seal = page.getByRole('region', { name: 'Seal' })
  await expect(seal.getByRole('definition').first()).toBeVisible()

  await page.goto(`/repo/${photos}/additem`)
  await expect(page.getByRole('heading', { name: `${photos}: Add Item` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit' })).toBeVisible()
  for (const kind of ['repo', 'view']) {
    await page.goto(`/add${kind}`)
    await expect(page.getByRole('button', { name: 'Submit' })).toBeVisible()
  }
})
