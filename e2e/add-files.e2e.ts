import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes, picture } from './sample-data.ts'

let folder: string

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-e2e-files-'))
})
test.afterAll(() => rmSync(folder, { recursive: true }))

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Writes pictures, each another, to a folder of its own. */
function writePictures(name: string, count: number): string {
  const path = join(folder, name)
  mkdirSync(path)
  for (let index = 0; index < count; index += 1) {
    writeFileSync(join(path, `${index}.png`), picture(index, { width: 8, height: 8 + index }))
  }
  return path
}

const progress = (page: Page) => page.getByRole('region', { name: 'Progress' })
const group = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Show files' }).getByRole('button', { name })

test(
  'a folder of pictures becomes items, each once',
  { tag: '@core' },
  async ({ page, client }) => {
    const photos = newName('photos')
    await client.repoCreate({
      body: {
        name: photos,
        schema: [
          { name: 'image', type: 'binary', mime: 'image/png' },
          { name: 'title', type: 'string', length: 20 },
          { name: 'album', type: 'string', length: 20, optional: true },
        ],
      },
    })
    const path = writePictures('summer', 60)
    writeFileSync(join(path, 'notes.txt'), 'not a picture')
    await page.goto(`/repo/${photos}/additem`)
    await page.getByRole('link', { name: 'Add many files' }).click()
    await page.getByLabel('a folder').setInputFiles(path)
    await expect(progress(page)).toContainText('0 of 61 files')
    await page.getByRole('combobox', { name: 'Source of album' }).selectOption('name of the folder')
    await expect(page.getByText('summer', { exact: true })).toBeVisible()
    await expectAccessible(page, 'files that are waiting')

    await page.getByRole('button', { name: 'Add 61 files' }).click()
    await expect(progress(page)).toContainText('60 of 61 files, 1 refused')
    const { totalItems } = await client.datasetCount({ datasetId: photos })
    expect(totalItems).toBe(60)
    const items = await client.datasetItemList({ datasetId: photos, pageSize: 100 })
    expect(new Set(items.map(({ data }) => data['title']))).toEqual(
      new Set(Array.from({ length: 60 }, (_, index) => String(index))),
    )
    expect(new Set(items.map(({ data }) => data['album']))).toEqual(new Set(['summer']))
    // Of a list of any length only what is in view is in the page.
    expect(await page.getByRole('listitem').count()).toBeLessThan(40)
    await group(page, /Refused/).click()
    const reason = page.getByText('The field takes image/png, and notes.txt')
    await expect(reason).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Added' })).toHaveJSProperty('value', 60)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(
      await reason.evaluate(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => [
        scrollHeight - clientHeight,
        scrollWidth - clientWidth,
      ]),
    ).toEqual([0, 0])
    await expectAccessible(page, 'files of which one was refused')

    await page.getByRole('link', { name: 'Items' }).click()
    await expect(page.getByText('60 items')).toBeVisible()

    await page.goto(`/repo/${photos}/addfiles`)
    writeFileSync(join(path, 'new.png'), picture(100))
    await page.getByLabel('a folder').setInputFiles(path)
    await page.getByRole('button', { name: 'Add 62 files' }).click()
    await expect(progress(page)).toContainText('61 of 62 files, 1 refused')
    expect((await client.datasetCount({ datasetId: photos })).totalItems).toBe(61)
  },
)

test('a server that goes away stalls the queue, which then goes on', async ({
  page,
  client,
  console,
}) => {
  console.expect(/ERR_FAILED/)
  const scans = newName('scans')
  await client.repoCreate({
    body: { name: scans, schema: [{ name: 'scan', type: 'binary', mime: 'image/*' }] },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/repo/${scans}/addfiles`)
  await page.route('**/api/repo/*/item', (route) => route.abort())
  await page.getByLabel('a folder').setInputFiles(writePictures('away', 5))
  await page.getByRole('button', { name: 'Add 5 files' }).press('Enter')
  await expect(page.getByRole('alert')).toContainText('The server could not be reached')
  await expectAccessible(page, 'a queue that is stalled')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.unroute('**/api/repo/*/item')
  await expect(progress(page)).toContainText('5 of 5 files')
  expect((await client.datasetCount({ datasetId: scans })).totalItems).toBe(5)
})

/** `npm run test:many-files` takes some thousands. */
const manyFiles = Number(process.env['MANY_FILES'] ?? 200)

test(`a folder of ${manyFiles} pictures leaves the tab responsive`, async ({ page, client }) => {
  const timeout = 180_000 + manyFiles * 200
  test.setTimeout(timeout)
  const scans = newName('scans')
  await client.repoCreate({
    body: { name: scans, schema: [{ name: 'scan', type: 'binary', mime: 'image/*' }] },
  })
  const path = writePictures(scans, manyFiles)
  await page.goto(`/repo/${scans}/addfiles`)
  // What holds the tab for 50 ms or more, by W3C's Long Tasks.
  const longest = await page.evaluateHandle(() => {
    const found = { ms: 0 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) found.ms = Math.max(found.ms, duration)
    }).observe({ type: 'longtask' })
    return found
  })
  await page.getByLabel('a folder').setInputFiles(path)
  const shown = manyFiles.toLocaleString('en-GB')
  const add = page.getByRole('button', { name: `Add ${shown} files` })
  await expect(add).toBeVisible()
  // To hand over so many files takes the browser itself a long task, before the page hears of them.
  await longest.evaluate((found) => {
    found.ms = 0
  })
  const began = Date.now()
  await add.click()
  await expect(progress(page)).toContainText(`${shown} of ${shown} files`, { timeout })
  const seconds = (Date.now() - began) / 1000
  const { ms } = await longest.jsonValue()
  console.info(`${manyFiles} files in ${seconds.toFixed(1)} s; the longest task took ${ms} ms`)
  const items = await client.datasetItemList({ datasetId: scans, pageSize: 1000 })
  expect(items).toHaveLength(Math.min(manyFiles, 1000))
  expect((await client.datasetCount({ datasetId: scans })).totalItems).toBe(manyFiles)
})

for (const [when, isReplyLost] of [
  ['a reload right after a commit', false],
  ['a commit whose reply is lost', true],
] as const) {
  test(`${when} adds no file twice`, async ({ page, client, console }) => {
    console.expect(/ERR_FAILED|ERR_ABORTED/)
    const scans = newName('scans')
    await client.repoCreate({
      body: { name: scans, schema: [{ name: 'scan', type: 'binary', mime: 'image/*' }] },
    })
    const count = async () => (await client.datasetCount({ datasetId: scans })).totalItems
    const path = writePictures(scans, 12)
    await page.goto(`/repo/${scans}/addfiles`)
    await page.getByLabel('a folder').setInputFiles(path)
    // Every commit arrives, and nothing that comes back of it.
    const commits = '**/api/repo/*/item/*/commit'
    if (isReplyLost) {
      await page.route(commits, async (route) => {
        await route.fetch()
        await route.abort()
      })
    }
    await page.getByRole('button', { name: 'Add 12 files' }).click()
    await expect.poll(count, { intervals: [20] }).toBeGreaterThan(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByLabel('a folder').setInputFiles(path)
    await page.getByRole('button', { name: 'Add 12 files' }).click()
    await expect(progress(page)).toContainText('12 of 12 files')
    const { totalItems } = await client.datasetCount({ datasetId: scans })
    const items = await client.datasetItemList({ datasetId: scans, pageSize: 100 })
    expect(new Set(items.map(({ data }) => data['scan'])).size).toBe(12)
    expect(totalItems).toBe(12)
  })
}

test('a repository without exactly one binary field takes no files', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes)
  await page.goto(`/repo/${notes}/additem`)
  await expect(page.getByRole('textbox', { name: 'text' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add many files' })).toBeHidden()
  await page.goto(`/repo/${notes}/addfiles`)
  await expect(page.getByText('exactly one binary field')).toBeVisible()
})
