import { readFile } from 'node:fs/promises'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addNotes } from './sample-data.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('a view is exported to a file, and a program that loads it can be copied', async ({
  page,
  client,
  server,
}) => {
  const notes = newName('notes')
  await addNotes(client, notes, 3)
  const view = `${notes}-view`
  await client.viewCreate({
    body: { name: view, base: notes, fields: [{ name: 'a', from: 'text' }] },
  })
  await page.addInitScript(() => {
    // A dialog of the operating system, which no test could answer.
    delete (globalThis as { showSaveFilePicker?: unknown }).showSaveFilePicker
  })
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
