import type { Page } from '@playwright/test'
import { addItem } from '@vitrine/client'
import { photograph } from '../packages/server/test/pictures.ts'
import { expect, newName, signedOut, test } from './app.ts'
import { addPictures, tiles, widthOf } from './gallery-page.ts'
import { clientOf, signIn } from './sign-in.ts'

/** More than 4 MB, which no tile loads as it is. */
const large = async () => {
  const bytes = await photograph({ width: 3000, height: 2000 })
  expect(bytes.length).toBeGreaterThan(4 * 1024 ** 2)
  return new Blob([bytes], { type: 'image/jpeg' })
}

const svg = new Blob(
  [
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="9" height="9"/></svg>',
  ],
  { type: 'image/svg+xml' },
)

/** The paths of pictures that are asked for from now on. */
function picturesAsked(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const [, asked] = /\/item\/\d+\/(image.*)$/.exec(pathname) ?? []
    if (asked !== undefined) paths.push(`${asked}${search}`)
  })
  return paths
}

test('a photograph is small as a cover, in a table, in a card and on a tile, and whole in the viewer', async ({
  page,
  client,
}) => {
  const { name, ids } = await addPictures(client, [{ title: 'by the sea', image: await large() }])
  const notes = newName('remarks')
  await client.repoCreate({
    body: { name: notes, schema: [{ name: 'about', type: 'reference', target: name }] },
  })
  await addItem(client, notes, { about: String(ids[0]) })
  const wanted = picturesAsked(page)

  await page.goto(`/dataset?q=${name}`)
  const cover = page.getByRole('main').locator('img')
  await expect.poll(() => widthOf(cover)).toBe(96)

  await page.goto(`/dataset/${name}/item`)
  await expect.poll(() => widthOf(page.getByRole('row').locator('img'))).toBe(96)

  await page.goto(`/dataset/${notes}/item`)
  await page.getByRole('link', { name: 'by the sea' }).hover()
  await expect.poll(() => widthOf(page.locator('[popover] img'))).toBe(96)

  await page.goto(`/dataset/${name}/item?as=gallery`)
  const tile = tiles(page).locator('img')
  await expect.poll(() => widthOf(tile)).toBe(256)
  const size = page.getByRole('slider', { name: 'Size of pictures' })
  await size.focus()
  await size.press('End')
  await expect.poll(() => widthOf(tile)).toBeGreaterThan(256)
  expect(new Set(wanted.slice(0, 4))).toEqual(
    new Set(['image/small?width=96', 'image/small?width=256']),
  )
  expect(wanted).not.toContain('image')

  await page.getByRole('button', { name: 'View by the sea' }).click()
  const viewer = page.getByRole('dialog')
  await expect.poll(() => widthOf(viewer.locator('img'))).toBe(3000)
  await viewer.getByRole('button', { name: 'Verify' }).click()
  await expect(viewer.getByText('matches', { exact: true })).toBeVisible()
  expect(wanted).toContain('image')
})

test.describe('on a screen of fine pixels', () => {
  test.use({ deviceScaleFactor: 3 })

  test('small pictures have as many pixels', async ({ page, client }) => {
    const { name } = await addPictures(client, [{ title: 'fine', image: await large() }])
    await page.goto(`/dataset/${name}/item`)
    await expect.poll(() => widthOf(page.getByRole('row').locator('img'))).toBe(256)
  })
})

test.describe('on a server of its own', () => {
  // Lists of datasets would ask for what is not there in other tests.
  test.use(signedOut)

  test('an SVG has no small picture, so the file itself is shown', async ({
    page,
    launch,
    console,
  }) => {
    const { url } = await launch()
    await signIn(page, url)
    const client = await clientOf(page)
    // Only where a field may hold anything does one ask in vain.
    console.expect(/status of 415/)
    const { name } = await addPictures(client, [{ title: 'drawn', image: svg }])
    const wanted = picturesAsked(page)
    await page.goto(`${url}/dataset/${name}/item?as=gallery`)
    await expect.poll(() => widthOf(tiles(page).locator('img'))).toBe(30)
    expect(wanted).toEqual(['image/small?width=256', 'image'])

    const signs = newName('signs')
    const image = { name: 'image', type: 'binary', mime: 'image/svg+xml' }
    await client.repoCreate({ body: { name: signs, schema: [image] } })
    await addItem(client, signs, { image: svg })
    wanted.length = 0
    await page.goto(`${url}/dataset/${signs}/item`)
    await expect.poll(() => widthOf(page.getByRole('row').locator('img'))).toBe(30)
    expect(wanted).toEqual(['image'])
    await page.goto(`${url}/dataset?q=${signs}`)
    await expect.poll(() => widthOf(page.getByRole('main').locator('img'))).toBe(30)
    expect(wanted).toEqual(['image', 'image'])
  })

  test('without small pictures large files are not loaded', async ({ page, launchOther }) => {
    const other = await launchOther()
    other.withhold('small-pictures')
    await signIn(page, other.url)
    const { name } = await addPictures(await clientOf(page), [
      { title: 'by the sea', image: await large() },
    ])
    const wanted = picturesAsked(page)
    await page.goto(`${other.url}/dataset/${name}/item?as=gallery`)
    await expect(tiles(page).first()).toContainText('large file')
    await page.getByRole('button', { name: 'Table' }).click()
    const row = page.getByRole('row', { name: 'by the sea' })
    await expect(row.locator('svg.tabler-icon-photo')).toBeVisible()
    await page.goto(`${other.url}/dataset`)
    await expect(page.getByRole('main').locator('svg.tabler-icon-photo')).toBeVisible()
    expect(new Set(wanted)).toEqual(new Set(['image']))
  })
})
