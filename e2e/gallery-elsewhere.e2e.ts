import { createHash, randomBytes } from 'node:crypto'
import { addItem } from '@vitrine/client'
import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addPictures, captions, emptyTiff, numbered, png, tiles, widthOf } from './gallery-page.ts'
import { picture } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'
import { withholdFeature } from './withhold-feature.ts'

test.use(signedOut)

test('a tile says why it shows no picture', async ({ page, launch, console }) => {
  const server = await launch()
  await withholdFeature(page, 'small-pictures')
  await signIn(page, server.url)
  const client = await clientOf(page)
  console.expect(/status of 500/)
  const large = Buffer.concat([picture(2), randomBytes(300_000)])
  const damaged = picture(3)
  const { name } = await addPictures(client, [
    { title: 'larger', image: png(large) },
    { title: 'too large', image: png(Buffer.concat([picture(4), randomBytes(4 * 1024 ** 2)])) },
    { title: 'damaged', image: png(damaged) },
    { title: 'no image at all', image: emptyTiff },
    { title: 'without' },
  ])
  const digest = createHash('sha256').update(damaged).digest('hex')
  await server.putBlob(digest, damaged.subarray(0, 100))
  await page.goto(`${server.url}/dataset/${name}/item?as=gallery`)
  await expect.poll(() => widthOf(tiles(page).nth(0).locator('img'))).toBe(160)
  await expect(tiles(page).nth(1)).toContainText('large file')
  await expect(tiles(page).nth(2)).toContainText('damaged')
  await expect(tiles(page).nth(3)).toContainText('cannot be shown')
  await expect(tiles(page).nth(4)).toContainText('no picture')
  await expect(tiles(page).locator('img')).toHaveCount(1)
  await expectAccessible(page, 'tiles without pictures')
})

test('a picture that could not be loaded is asked for again', async ({
  page,
  launchOther,
  console,
}) => {
  const other = await launchOther()
  console.expect(/status of 500/)
  await signIn(page, other.url)
  const { name } = await addPictures(await clientOf(page), numbered(1), 'pictures')
  other.alter(`GET /api/dataset/${name}/item/1/image/small`, () => ({ status: 500, body: '{}' }))
  await page.goto(`${other.url}/dataset/${name}/item?as=gallery`)
  const tile = tiles(page).first()
  await expect(tile).toContainText('could not be loaded')
  await expectAccessible(page, 'a tile with Retry')
  other.restore()
  await tile.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => widthOf(tile.locator('img'))).toBe(160)
})

test('a server that filters nothing has a gallery of its items', async ({ page, launchOther }) => {
  const other = await launchOther()
  other.withhold('explore')
  await signIn(page, other.url)
  await addPictures(await clientOf(page), numbered(1), 'pictures')
  await page.goto(`${other.url}/dataset/pictures/item`)
  await page.getByRole('button', { name: 'Gallery' }).click()
  await expect(captions(page)).toHaveText(['picture 1'])
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeHidden()
})

test('the gallery of a view that is being built fills up', async ({ page, launch }) => {
  const { url } = await launch({ E2E_HASTY_VIEWS: '1' })
  await signIn(page, url)
  const client = await clientOf(page)
  await addPictures(client, [], 'pictures')
  await client.viewCreate({
    body: { name: 'ones', base: 'pictures', where: { title: { contains: '1' } } },
  })
  await page.goto(`${url}/dataset/ones/item?as=gallery`)
  await expect(page.getByText('Dataset has no Items')).toBeVisible()
  await addItem(client, 'pictures', { title: 'picture 1', image: png(picture(1)) })
  // Whoever asks first has the view looked at: the page of items is to be it.
  const replied = page.waitForResponse((response) => /\/api\/.*\/item\?/.test(response.url()))
  await page.route(/\/count/, async (route) => {
    await replied
    await route.continue()
  })
  await page.reload()
  expect((await replied).headers()['vitrine-scanned']).toBe('0/1')
  expect(await page.getByText('Dataset has no Items').isVisible()).toBe(false)
  await expect(captions(page)).toHaveText(['picture 1'])
})
