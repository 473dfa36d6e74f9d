import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { addItem, openReply } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { picture } from './sample-data.ts'

let folder: string

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-e2e-import-'))
})
test.afterAll(() => rmSync(folder, { recursive: true }))

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const schema = [
  { name: 'full_name', type: 'string', length: 12 },
  { name: 'country', type: 'string', length: 2, optional: true },
]

function writeRows(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const choose = (page: Page) => page.getByLabel('Choose a file')
const theImport = (page: Page) => page.getByRole('region', { name: 'The import' })

test(
  'a file is mapped, imported but for its bad rows, and these are reported',
  { tag: '@core' },
  async ({ page, client }) => {
    const people = newName('people')
    await client.repoCreate({ body: { name: people, schema } })
    const rows = Array.from({ length: 300 }, (_, index) => `Person ${index},NZ,x`)
    rows[1] = 'A name of many letters,NZ,x'
    rows[299] = 'Late,NZZ,x'
    const file = writeRows('people 2026.csv', ['Full Name,nation,Remarks', ...rows, ''].join('\n'))

    await page.goto(`/dataset/${people}/item`)
    await page.getByRole('link', { name: 'Import' }).click()
    await expect(page.getByText('You imported nothing in')).toBeVisible()
    await choose(page).setInputFiles(file)
    await expect(page.getByRole('combobox', { name: 'Column Full Name' })).toHaveValue('full_name')
    await expect(page.getByRole('combobox', { name: 'Column Remarks' })).toHaveValue('')
    await page.getByRole('combobox', { name: 'Column Full Name' }).selectOption('country')
    await expect(page.getByRole('alert')).toContainText('The field full_name is required')
    await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
    await page.getByRole('combobox', { name: 'Column Full Name' }).selectOption('full_name')
    await page.getByRole('combobox', { name: 'Column nation' }).selectOption('country')
    await expect(page.getByRole('alert')).toContainText('Of the first 100 rows 1 would be refused')
    await expect(page.getByRole('alert')).toContainText(
      'Line 3: full_name must be at most 12 characters',
    )
    await expectAccessible(page, 'a file before it is imported')

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText(
      'rows were refused, so nothing was imported',
    )
    await expect(theImport(page)).toContainText('2 rows were refused')
    expect((await client.datasetCount({ datasetId: people })).totalItems).toBe(0)
    await expectAccessible(page, 'an import that failed')

    await page.getByRole('button', { name: 'Import another file' }).click()
    await choose(page).setInputFiles(file)
    await page.getByRole('combobox', { name: 'Column nation' }).selectOption('country')
    await page.getByRole('combobox', { name: 'When a row is refused' }).selectOption('skip')
    await page.getByRole('button', { name: 'Import', exact: true }).press('Enter')
    await expect(theImport(page)).toContainText('298 items imported')
    await expect(page.getByRole('button', { name: 'Import the rows that are good' })).toBeHidden()
    await expect(theImport(page)).toContainText('2 rows were refused')
    const table = theImport(page).getByRole('table', { name: 'Refused rows' })
    await expect(table.getByRole('row').nth(2)).toContainText(/^300301country/)
    await page.setViewportSize({ width: 390, height: 844 })
    const cutOff = await theImport(page)
      .getByRole('region', { name: 'Refused rows' })
      .evaluate((frame) => frame.scrollWidth - frame.clientWidth)
    expect(cutOff).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    const downloading = page.waitForEvent('download')
    await theImport(page).getByRole('button', { name: 'Download' }).click()
    const report = await readFile(await (await downloading).path(), 'utf8')
    expect(report.trim().split(/\r?\n/)).toHaveLength(3)
    await expect(page.getByRole('table', { name: 'Imports' })).toContainText(
      /people-2026.csv.*done, 298 items, 2 refused.*people-2026.csv.*failed/s,
    )
    await expectAccessible(page, 'an import that is done')
    const [first] = await client.datasetItemList({ datasetId: people })
    expect(first?.data).toEqual({ full_name: 'Person 0', country: 'NZ' })

    await page.reload()
    await choose(page).setInputFiles(file)
    await expect(page.getByText('Importing it again adds them all again')).toBeVisible()
  },
)

for (const format of ['parquet', 'zip'] as const) {
  test(`${format} is imported, with its pictures`, async ({ page, client }) => {
    const [photos, copies] = [newName('photos'), newName('copies')]
    const fields = [
      { name: 'title', type: 'string', length: 20 },
      { name: 'image', type: 'binary', mime: 'image/png' },
    ]
    for (const name of [photos, copies]) {
      await client.repoCreate({ body: { name, schema: fields } })
    }
    for (const seed of [1, 2, 3]) {
      const image = new Blob([picture(seed)], { type: 'image/png' })
      await addItem(client, photos, { title: `Picture ${seed}`, image })
    }
    const exported = await openReply(client, 'datasetExport', { datasetId: photos, format })
    const file = writeRows(`photos.${format}`, Buffer.from(await exported.arrayBuffer()))

    await page.goto(`/repo/${copies}/import`)
    await choose(page).setInputFiles(file)
    if (format === 'parquet') {
      await expect(page.getByRole('combobox', { name: 'Column title' })).toHaveValue('title')
      await expect(page.getByText('Picture 3')).toBeVisible()
      await expect(page.getByRole('columnheader', { name: 'row', exact: true })).toBeVisible()
    }
    await expectAccessible(page, `a ${format} before it is imported`)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(theImport(page)).toContainText('3 items imported')
    const digestsOf = async (datasetId: string) => {
      const items = await client.datasetItemList({ datasetId })
      return items.map(({ data }) => data)
    }
    expect(await digestsOf(copies)).toEqual(await digestsOf(photos))
  })
}

test(
  'an import outlives a lost connection, a pause and a reload',
  { tag: '@core' },
  async ({ page, client, console }) => {
    console.expect(/ERR_FAILED/)
    page.on('dialog', (dialog) => void dialog.accept())
    const people = newName('people')
    await client.repoCreate({ body: { name: people, schema } })
    const lines = Array.from(
      { length: 60_000 },
      (_, index) =>
        `{"full_name":"Person ${index}","country":"NZ","remarks":"${'x'.repeat(40)}"}\n`,
    )
    const file = writeRows('many.ndjson', lines.join(''))
    const offsets: number[] = []
    let isDown = false
    // Parts after the first are held, so that nothing is over before the test has looked.
    let held = Promise.withResolvers<void>()
    await page.route(/\/import\/[^/]+\?offset=/, async (route) => {
      const offset = new URL(route.request().url()).searchParams.get('offset')
      if (isDown) return route.abort()
      offsets.push(Number(offset))
      if (offsets.length > 1) await held.promise
      return isDown ? route.abort() : route.continue()
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/repo/${people}/import`)
    await choose(page).setInputFiles(file)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect.poll(() => offsets.length).toBeGreaterThan(1)
    isDown = true
    held.resolve()
    held = Promise.withResolvers()
    await expect(page.getByRole('alert')).toContainText('The server could not be reached')
    // What the list knows of it is old: it says neither to choose the file nor how much is there.
    await expect(page.getByText('You imported nothing else')).toBeVisible()
    await expectAccessible(page, 'an import that is stalled')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    isDown = false
    await expect(page.getByRole('alert')).toBeHidden()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    held.resolve()

    await page.reload()
    await expect(page.getByRole('table', { name: 'Imports' })).toContainText(
      'choose the same file to go on',
    )
    const sentBefore = offsets.length
    await choose(page).setInputFiles(file)
    await expect(page.getByText('need not be sent again')).toBeVisible()
    await expectAccessible(page, 'an import that was interrupted')
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect(theImport(page)).toContainText('60,000 items imported')
    expect(offsets[sentBefore]).toBeGreaterThan(0)
    expect((await client.datasetCount({ datasetId: people })).totalItems).toBe(60_000)
  },
)

test('an import is cancelled by no single click', async ({ page, client, console }) => {
  console.expect(/ERR_FAILED|status of 409/)
  const people = newName('people')
  await client.repoCreate({ body: { name: people, schema } })
  await page.route(/\/import\/[^/]+\?offset=/, (route) => route.abort())
  await page.goto(`/repo/${people}/import`)
  await choose(page).setInputFiles(writeRows('kept.csv', 'full_name\nAda\n'))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('The server could not be reached')
  const [{ key: importKey } = { key: '' }] = await client.importList({ datasetId: people })
  const state = async () => (await client.importGet({ datasetId: people, importKey })).state

  await theImport(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toContainText('kept.csv')
  await expectAccessible(page, 'an import that is to be cancelled')
  await page.keyboard.press('Escape')
  expect(await state()).toBe('receiving')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Cancel kept.csv' }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  expect(await state()).toBe('receiving')
  await page.getByRole('button', { name: 'Cancel kept.csv' }).click()
  await page.getByRole('button', { name: 'Cancel the import' }).click()
  await expect(page.getByRole('table', { name: 'Imports' })).toContainText('cancelled')
  expect(await state()).toBe('cancelled')
})

test('a file of semicolons that gzip has packed is shown and imported', async ({
  page,
  client,
}) => {
  const people = newName('people')
  await client.repoCreate({ body: { name: people, schema } })
  const file = writeRows('people.csv.gz', gzipSync('full_name;country\nAnna, B;NZ\nCleo;TO\n'))

  await page.goto(`/repo/${people}/import`)
  await choose(page).setInputFiles(file)
  const between = page.getByRole('combobox', { name: 'Delimiter' })
  await expect(between).toHaveValue(';')
  await expect(page.getByRole('combobox', { name: 'Column country' })).toHaveValue('country')
  await expect(page.getByRole('cell', { name: 'Anna, B' })).toBeVisible()
  await between.selectOption('comma')
  await expect(page.getByRole('alert').first()).toBeVisible()
  await between.selectOption('semicolon')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(theImport(page)).toContainText('2 items')
  expect(await client.datasetCount({ datasetId: people })).toMatchObject({ totalItems: 2 })
})
