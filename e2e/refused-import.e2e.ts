import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Client } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'

const schema = [
  { name: 'full_name', type: 'string', length: 12 },
  { name: 'country', type: 'string', length: 2, optional: true },
]

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})
const choose = (page: Page) => page.getByLabel('Choose a file')
const theImport = (page: Page) => page.getByRole('region', { name: 'The import' })

test('a file that cannot be imported says what to do', async ({ page, client }) => {
  const people = newName('people')
  await client.repoCreate({ body: { name: people, schema } })
  await page.goto(`/repo/${people}/import`)
  // Beyond the rows that are looked at before it is sent.
  const rows = Array.from({ length: 200_000 }, (_, index) => `P ${index}\n`).join('')
  await choose(page).setInputFiles(
    file('late.csv', Buffer.from(`full_name\n${rows}Zo\xeb\n`, 'latin1')),
  )
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const failed = theImport(page).getByRole('alert')
  await expect(failed).toContainText('row 200001: line 200002 is not valid UTF-8')
  await expect(failed).toContainText(/import it again\.$/)
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page).setInputFiles(file('rows.gz', Buffer.from([0x1f, 0x8b, 8])))
  await expect(page.getByRole('alert')).toContainText('Unpack it')
  await choose(page).setInputFiles(file('rows.txt', 'a'))
  await expect(page.getByRole('alert')).toContainText('should end in .ndjson')
  await choose(page).setInputFiles(file('rows.csv', 'full_name\n"Zoë\n'))
  await expect(page.getByRole('alert')).toContainText('has a cell in quotes that does not end')
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
})

test(
  'after rows were refused, the good ones of the same file are imported by one button',
  { tag: '@core' },
  async ({ page, client }) => {
    const people = newName('people')
    await client.repoCreate({ body: { name: people, schema } })
    const rows = ['name,nation', 'Ada,GB', 'A name of many letters,NZ', 'Grace,US', '']
    const threePeople = file('three people.csv', rows.join('\n'))
    await page.goto(`/repo/${people}/import`)
    await choose(page).setInputFiles(threePeople)
    await page.getByRole('combobox', { name: 'Column name' }).selectOption('full_name')
    await page.getByRole('combobox', { name: 'Column nation' }).selectOption('country')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('refused, so nothing was imported')
    await page.getByRole('button', { name: 'Import the rows that are good' }).click()
    await expect(theImport(page)).toContainText('2 items imported')
    await expect(theImport(page)).toContainText('One row was refused')
    const items = await client.datasetItemList({ datasetId: people })
    expect(items.map(({ data }) => data)).toEqual([
      { full_name: 'Ada', country: 'GB' },
      { full_name: 'Grace', country: 'US' },
    ])

    const bad = file('one bad.csv', 'full_name\nA name of many letters\n')
    await page.getByRole('button', { name: 'Import another file' }).click()
    await choose(page).setInputFiles(bad)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('refused, so nothing was imported')
    await expect(page.getByRole('button', { name: 'Import the rows that are good' })).toBeHidden()
  },
)

const goods = [
  { name: 'name', type: 'string', length: 20 },
  { name: 'weight', type: 'number' },
]
/** Beyond the rows that are looked at before they are sent. */
const heavy = Array.from({ length: 200 }, (_, index) =>
  index === 136 ? 'item 136,heavy' : `item ${index},${index / 4}`,
)
const goodsFile = file('goods.csv', ['name,weight', ...heavy].join('\n'))
/** Opens the import of a new repository of goods; returns its name. */
async function openGoods(page: Page, client: Client): Promise<string> {
  const name = newName('goods')
  await client.repoCreate({ body: { name, schema: goods } })
  await page.goto(`/repo/${name}/import`)
  return name
}

const refusedRows = (page: Page) => page.getByRole('table', { name: 'Refused rows' })

test(
  'a refused value is corrected in the table, and the file imported with it, in its order',
  { tag: '@core' },
  async ({ page, client }) => {
    const name = await openGoods(page, client)
    await choose(page).setInputFiles(goodsFile)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(theImport(page).getByRole('alert')).toContainText('Correct the values below')
    const weight = refusedRows(page).getByRole('textbox', { name: 'weight on line 138' })
    await expect(weight).toHaveValue('heavy')
    await weight.fill('heavier')
    await expect(weight).toHaveAttribute('aria-invalid', 'true')
    await weight.fill('12.5')
    await expect(refusedRows(page)).toContainText('corrected')
    await expectAccessible(page, 'corrections of refused rows')
    await page.setViewportSize({ width: 320, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.getByRole('button', { name: 'Import with the corrected row' }).click()
    await expect(theImport(page)).toContainText('200 items imported')
    const [item] = await client.datasetItemList({ datasetId: name, page: 136, pageSize: 1 })
    expect(item?.data).toEqual({ name: 'item 136', weight: 12.5 })
  },
)

test('corrections outlast a reload, until the same file is chosen again', async ({
  page,
  client,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-e2e-goods-'))
  const path = join(folder, 'goods.csv')
  writeFileSync(path, goodsFile.buffer)
  await openGoods(page, client)
  await choose(page).setInputFiles(path)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await refusedRows(page).getByRole('textbox').fill('12.5')
  await page.reload()
  await expect(page.getByRole('table', { name: 'Imports' })).toContainText(
    '1 corrected: choose the same file to go on',
  )
  await choose(page).setInputFiles(path)
  await expect(refusedRows(page).getByRole('textbox')).toHaveValue('12.5')
  await page.getByRole('button', { name: 'Import with the corrected row' }).click()
  await expect(theImport(page)).toContainText('200 items imported')
  rmSync(folder, { recursive: true })
})

test('a value that is wrong in the first rows is corrected before anything is sent', async ({
  page,
  client,
}) => {
  const name = await openGoods(page, client)
  const rows = ['{"name":"a","weight":1}', '{"name":"b","weight":"heavy"}', '{"name":"c"}']
  await choose(page).setInputFiles(file('goods.ndjson', rows.join('\n')))
  await expect(page.getByRole('alert')).toContainText('2 would be refused')
  const weights = refusedRows(page).getByRole('textbox')
  await weights.first().fill('2')
  await weights.first().press('Enter')
  await expect(weights.last()).toBeFocused()
  await page.keyboard.type('3')
  await expect(page.getByText('The first 3 rows fit the schema')).toBeVisible()
  await page.getByRole('button', { name: 'Import with 2 corrected rows' }).click()
  await expect(theImport(page)).toContainText('3 items imported')
  const items = await client.datasetItemList({ datasetId: name })
  expect(items.map(({ data }) => data['weight'])).toEqual([1, 2, 3])
})

test('after the good rows were imported, the corrected ones are added alone', async ({
  page,
  client,
}) => {
  const name = await openGoods(page, client)
  await choose(page).setInputFiles(goodsFile)
  await page.getByLabel('When a row is refused').selectOption('skip')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(theImport(page)).toContainText('199 items imported')
  await refusedRows(page).getByRole('textbox', { name: 'weight on line 138' }).fill('7')
  await page.getByRole('button', { name: 'Import the corrected row' }).click()
  await expect(theImport(page)).toContainText('1 item imported')
  const items = await client.datasetItemList({ datasetId: name, page: 199, pageSize: 1 })
  expect(items.map(({ data }) => data)).toEqual([{ name: 'item 136', weight: 7 }])
})
