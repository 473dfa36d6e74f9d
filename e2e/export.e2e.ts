import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes } from './sample-data.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Downloads are gathered: the dialog of the operating system no test could answer. */
function withoutPicker(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    delete (globalThis as { showSaveFilePicker?: unknown }).showSaveFilePicker
  })
}

test(
  'a view is exported to a file, and a program that loads it can be copied',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const notes = newName('notes')
    await addNotes(client, notes, 3)
    const view = `${notes}-view`
    await client.viewCreate({
      body: { name: view, base: notes, fields: [{ name: 'a', from: 'text' }] },
    })
    await withoutPicker(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/dataset/${view}`)
    await page.getByRole('button', { name: 'Export' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: `Export ${view}` })
    await dialog.getByRole('checkbox', { name: 'With digests' }).check()
    await expectAccessible(page, 'an export')
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`${view}.csv`)
    const [names, first] = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(names).toBe('id,createdAt,a,a.sha256')
    expect(first).toMatch(/,note 1,[0-9a-f]{64}$/)
    await expect(dialog).toContainText('Saved 3 items')

    const zip = dialog.getByRole('radio', { name: /^Zip/ })
    await dialog.getByRole('checkbox', { name: 'With digests' }).uncheck()
    await expect(dialog).not.toContainText('Saved')
    const before = await zip.boundingBox()
    await zip.check()
    await expect(dialog.getByRole('checkbox')).toHaveCount(1)
    expect(await zip.boundingBox()).toEqual(before)
    await dialog.getByRole('radio', { name: /^Croissant/ }).check()
    await expect(dialog.getByRole('checkbox')).toHaveCount(0)
    expect(await zip.boundingBox()).toEqual(before)

    await dialog.getByRole('radio', { name: /^Parquet/ }).check()
    await dialog.getByRole('combobox', { name: 'Program for' }).selectOption('Polars')
    await dialog.getByRole('button', { name: 'Copy the program' }).click()
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`"${server.url}/api/dataset/${view}/export?format=parquet"`)
    expect(copied).toContain(`pl.read_parquet("${view}.parquet")`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  },
)

test('a bundle is offered of a whole dataset', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 3)
  await withoutPicker(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/dataset/${notes}`)
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: `Export ${notes}` })
  const bundle = dialog.getByRole('radio', { name: /^Bundle/ })
  await bundle.check()
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe(`${notes}.bundle.zip`)
  await expect(dialog).toContainText('Saved')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('an export goes to the file that was chosen, and one that fails leaves none', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 500/)
  const notes = newName('notes')
  await addNotes(client, notes, 2)
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        const folder = await navigator.storage.getDirectory()
        return folder.getFileHandle(suggestedName, { create: true })
      },
    })
  })
  const saved = () =>
    page.evaluate(async (name) => {
      const folder = await navigator.storage.getDirectory()
      return (await (await folder.getFileHandle(name)).getFile()).text()
    }, `${notes}.ndjson`)
  await page.goto(`/dataset/${notes}/item`)
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^NDJSON/ }).check()
  await page.route('**/export?*', (route) => route.fulfill({ status: 500, body: '' }))
  await dialog.getByRole('button', { name: 'Download' }).click()
  await expect(dialog.getByRole('alert')).toContainText('No file was kept')
  expect(await saved()).toBe('')
  await page.unroute('**/export?*')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await expect(dialog).toContainText('Saved 2 items')
  expect(await saved()).toMatch(/"text":"note 1"\}\n.*"text":"note 2"\}\n$/)
})

/** Some of the notes 1 to 12, in an order. */
const asked = new URLSearchParams({
  where: '{"text":{"contains":"note 1"}}',
  order: '-text',
  q: '1',
})

test(
  'an export has the filtered, searched and sorted items as shown, or all items',
  { tag: '@core' },
  async ({ page, client }) => {
    const notes = newName('notes')
    await addNotes(client, notes, 12)
    await withoutPicker(page)
    await page.setViewportSize({ width: 360, height: 780 })
    await page.goto(`/dataset/${notes}/item?${asked}`)
    await expect(page.getByRole('row')).toHaveCount(5)
    const address = page.url()
    await page.getByRole('button', { name: 'Export' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: `Export ${notes}` })
    const items = dialog.getByRole('group', { name: 'Items' })
    await expect(items.getByRole('radio', { name: /^These items/ })).toBeChecked()
    await expect(items).toContainText(
      'These items 4 items: text contains exactly note 1, with the words 1, sorted by text ↓',
    )
    await expect(items).toContainText('All items 12 items')
    await expectAccessible(page, 'an export of some items')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    const download = async () => {
      const downloading = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Download' }).click()
      const file = await downloading
      const lines = (await readFile(await file.path(), 'utf8')).split('\r\n').slice(1, -1)
      return [file.suggestedFilename(), lines.map((line) => line.split(',').at(-1))] as const
    }
    expect(await download()).toEqual([
      `${notes}-part.csv`,
      ['note 12', 'note 11', 'note 10', 'note 1'],
    ])
    await expect(dialog).toContainText('Saved 4 items')
    const program = dialog.getByRole('region', { name: 'Program' })
    await expect(program).toContainText(`/export?format=parquet&${asked}"`)
    await dialog.getByRole('combobox', { name: 'Program for' }).selectOption('Command line')
    await expect(program).toContainText('--order=-text --find=1 --output')

    await items.getByRole('radio', { name: /^All items/ }).check()
    await expect(dialog).not.toContainText('Saved')
    await expect(program).not.toContainText('--find')
    const [name, lines] = await download()
    expect([name, lines.length]).toEqual([`${notes}.csv`, 12])
    await page.keyboard.press('Escape')
    expect(page.url()).toBe(address)
  },
)
