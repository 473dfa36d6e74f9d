import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { addItem } from '@vitrine/client'
import { expect, newName, signedOut, test } from './app.ts'
import { addNotes, addOnePhoto, addPeople, addPhotos, photo, picture } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

test('a dataset without items says so', async ({ page, client, server }) => {
  const notes = newName('notes')
  await addNotes(client, notes)
  await page.goto(`/dataset/${notes}/item`)
  await expect(page.getByText('Dataset has no Items')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Add item' }).first().click()
  await expect(page).toHaveURL(`${server.url}/repo/${notes}/additem`)
})

test(
  'items are listed with one column per field',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const people = newName('people')
    const photos = newName('photos')
    const { person, id } = await addOnePhoto(client, { people, photos })
    await page.goto(`/dataset/${photos}/item`)
    await expect(page.getByRole('columnheader')).toHaveText([
      'id',
      'title',
      'taken_by',
      'image',
      'raw',
      'notes',
      'links',
    ])
    const row = page.getByRole('row', { name: 'Morning by the lake' })
    await expect(row.getByRole('rowheader')).toHaveText(String(id))
    await row
      .getByRole('cell')
      .getByRole('link', { name: `Ada Lovelace ${person}`, exact: true })
      .click()
    await expect(page).toHaveURL(`${server.url}/dataset/${people}/item/${person}`)
    await page.goBack()
    await row.getByRole('link', { name: 'show' }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${photos}/item/${id}`)
  },
)

test('images are shown small among the items, however large they are', async ({ page, client }) => {
  const flags = newName('flags')
  await client.repoCreate({
    body: { name: flags, schema: [{ name: 'flag', type: 'binary', mime: 'image/*' }] },
  })
  const image = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes], { type: 'image/png' })
  await addItem(client, flags, { flag: image(picture(1)) })
  await addItem(client, flags, { flag: image(Buffer.concat([picture(2), randomBytes(300_000)])) })
  await page.goto(`/dataset/${flags}/item`)
  const [small, large] = [page.getByRole('row').nth(1), page.getByRole('row').nth(2)]
  for (const row of [small, large]) {
    await expect
      .poll(() => row.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBe(96)
  }
  const beyondFrame = await small
    .locator('img')
    .evaluate((img) => img.clientHeight - img.parentElement!.clientHeight)
  expect(beyondFrame).toBe(0)
  const beside = await small.evaluate((row) => {
    const middle = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return (top + bottom) / 2
    }
    return middle(row.querySelector('code')!) - middle(row)
  })
  expect(Math.abs(beside)).toBeLessThanOrEqual(1)
})

test('an item shows each field by its type', { tag: '@core' }, async ({ page, client, server }) => {
  const people = newName('people')
  const photos = newName('photos')
  const [person = 0] = await addPeople(client, people)
  await addPhotos(client, photos, people)
  const raw = Buffer.from('not a picture')
  const id = await addItem(
    client,
    photos,
    photo(person, { raw: new Blob([raw], { type: 'application/octet-stream' }) }),
  )
  await page.goto(`/dataset/${photos}/item/${id}`)
  const main = page.getByRole('main')
  for (const name of ['title', 'taken_by', 'raw', 'notes']) {
    await expect(main.getByRole('term').filter({ hasText: name })).toBeVisible()
  }
  const values = main.getByRole('definition')
  await expect(values.nth(0)).toContainText('Morning by the lake')
  await expect(values.nth(3)).toContainText('no value')

  const image = main.getByRole('figure')
  await expect(image).toContainText('image/png')
  await expect
    .poll(() =>
      image
        .getByRole('img', { name: 'image' })
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(160)

  const bytes = values.nth(2)
  await expect(bytes).toContainText('application/octet-stream')
  await bytes.getByRole('button', { name: 'show' }).click()
  await expect(bytes.getByText('mime type not supported')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await bytes.getByRole('button', { name: 'Download' }).click()
  const saved = await (await downloading).path()
  expect(readFileSync(saved)).toEqual(raw)
  await bytes.getByRole('button', { name: 'hide' }).click()
  await expect(bytes.getByText('mime type not supported')).toBeHidden()

  await values.nth(1).getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect(page).toHaveURL(`${server.url}/dataset/${people}/item/${person}`)
  await expect(page.getByRole('definition').getByText('Ada Lovelace')).toBeVisible()
})

test(
  'Verify all hashes what the browser received',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const people = newName('people')
    const photos = newName('photos')
    const { person, id } = await addOnePhoto(client, { people, photos })
    await page.goto(`/dataset/${photos}/item/${id}`)
    const seal = page.getByRole('region', { name: 'Seal' })
    await seal.getByRole('button', { name: 'Verify all' }).click()
    await expect(seal.getByText('The item is what was added.')).toBeVisible()
    await seal.getByText('Digests', { exact: true }).click()
    await expect(seal.getByText('matches')).toHaveCount(3)
    await expect(seal.getByTitle(sha256(picture(1)))).toBeVisible()

    const bytes = picture(7)
    const image = new Blob([bytes], { type: 'image/png' })
    const other = await addItem(client, photos, photo(person, { image }))
    const tampered = Buffer.from(bytes)
    tampered[tampered.length - 20]! ^= 1
    await server.putBlob(sha256(bytes), tampered)
    await page.goto(`/dataset/${photos}/item/${other}`)
    await seal.getByRole('button', { name: 'Verify all' }).click()
    await expect(seal.getByText('The item is not proven.')).toBeVisible()
    // Without being asked for, as something is wrong.
    await expect(seal.getByText('does not match')).toContainText(sha256(tampered))
    await expect(seal.getByText('matches')).toHaveCount(2)
    // Lists of datasets would show what is damaged to other tests.
    await client.repoDelete({ datasetId: photos })
  },
)

test('a digest is copied whole', async ({ page, client }) => {
  const notes = newName('notes')
  const [id] = await addNotes(client, notes, 1)
  await page.goto(`/dataset/${notes}/item/${id}`)
  await page.getByText('Digests', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy sha256' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(sha256('note 1'))
})

test('text is shown as it was typed, never as markup', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes)
  const text = '<img src=x onerror=alert(1)>\n  two  spaces, עברית, 👩‍👩‍👧'
  const id = await addItem(client, notes, { text })
  await page.goto(`/dataset/${notes}/item/${id}`)
  const value = page.getByRole('definition').getByRole('paragraph')
  await expect(value).toBeVisible()
  expect(await value.evaluate((element: HTMLElement) => element.innerText)).toBe(text)
})

test('an SVG image runs no script', { tag: '@core' }, async ({ page, client }) => {
  const badges = newName('badges')
  await client.repoCreate({
    body: { name: badges, schema: [{ name: 'badge', type: 'binary', mime: 'image/svg+xml' }] },
  })
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" onload="parent.document.title=1">' +
    '<script>parent.document.title = 1</script><rect width="20" height="20"/></svg>'
  const id = await addItem(client, badges, { badge: new Blob([svg], { type: 'image/svg+xml' }) })
  await page.goto(`/dataset/${badges}/item/${id}`)
  await expect
    .poll(() =>
      page
        .getByRole('img', { name: 'badge' })
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(20)
  await expect(page).toHaveTitle(/Vitrine/)
})

test('an item or dataset that is not there is told of', async ({ page, client, console }) => {
  console.expect(/status of 404/)
  const notes = newName('notes')
  await addNotes(client, notes)
  await page.goto(`/dataset/${notes}/item/9999`)
  await expect(page.getByRole('alert')).toContainText('dataset or item not found')
  await page.goto('/dataset/no-such-dataset/item')
  await expect(page.getByRole('alert')).toContainText('not found')
  await expect(page.getByText('Dataset has no Items')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Export' })).toBeHidden()
  await page.goto('/dataset/no-such-dataset')
  await expect(page.getByRole('alert')).toContainText('dataset not found')
  await expect(page.getByRole('button', { name: 'delete' })).toBeHidden()
})

test.describe('on a server of its own', () => {
  test.use(signedOut)

  test(
    'a view that is being built says how far it is until it is done',
    { tag: '@core' },
    async ({ page, launch }) => {
      const { url } = await launch({ E2E_HASTY_VIEWS: '1' })
      await signIn(page, url)
      const client = await clientOf(page)
      await addNotes(client, 'notes')
      await client.viewCreate({
        body: { name: 'ones', base: 'notes', where: { text: { contains: '1' } } },
      })
      const empty = page.getByText('Dataset has no Items')
      await page.goto(`${url}/dataset/ones/item`)
      await expect(empty).toBeVisible()
      await addItem(client, 'notes', { text: 'note 1' })
      const replied = page.waitForResponse((response) => response.url().includes('/item?'))
      // Whoever asks first has the view looked at: the page of items is to be it.
      await page.route(/\/count/, async (route) => {
        await replied
        await route.continue()
      })
      await page.reload()
      expect((await replied).headers()['vitrine-scanned']).toBe('0/1')
      // Counted by now, and so answered: that nothing was found yet is not that there is nothing.
      await expect(page.getByText(/^[01] items?\b/)).toBeVisible()
      expect(await empty.isVisible()).toBe(false)
      await expect(page.getByText('note 1', { exact: true })).toBeVisible()
      await expect(page.getByText('1 item', { exact: true })).toBeVisible()

      await addItem(client, 'notes', { text: 'another 1' })
      const { promise: seen, resolve: askAgain } = Promise.withResolvers<void>()
      let counted = 0
      await page.route(/\/count/, async (route) => {
        counted += 1
        if (counted > 1) await seen
        await route.continue()
      })
      await page.route(/\/growth/, async (route) => {
        await seen
        await route.continue()
      })
      await page.goto(`${url}/dataset/ones`)
      await expect(page.getByText('1, looked at 1 of 2 so far')).toBeVisible()
      askAgain()
      await expect(page.getByRole('definition').filter({ hasText: /^2$/ })).toBeVisible()
    },
  )
})
