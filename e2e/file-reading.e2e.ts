import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'

// What the import page finds out of how a file is to be read, and what can be chosen instead.

const schema = [
  { name: 'full_name', type: 'string', length: 12 },
  { name: 'country', type: 'string', length: 2, optional: true },
]

const choose = (page: Page) => page.getByLabel('Choose a file')

const theImport = (page: Page) => page.getByRole('region', { name: 'The import' })

test('how a file is read is found, shown and changed', async ({ page, client }) => {
  const people = newName('people')
  await client.repoCreate({ body: { name: people, schema } })
  await page.goto(`/repo/${people}/import`)
  const rows = 'full_name\tcountry\n"Weird Al\tUS\nBob "B" C\tNZ\n'
  await choose(page).setInputFiles({
    name: 'names.tsv',
    mimeType: 'text/tab-separated-values',
    buffer: Buffer.from(`An export\n${rows}`),
  })
  const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
  await expect(choice('Quotes')).toHaveValue('none')
  await expect(choice('Lines before the names')).toHaveValue('1')
  await expect(choice('Comments')).toHaveValue('')
  await expect(page.getByRole('table').getByText('"Weird Al')).toBeVisible()
  await expectAccessible(page, 'how a file is read')

  await choice('Quotes').selectOption('"')
  await expect(page.getByRole('alert')).toContainText('Line 4 has something between a quote')
  await choice('Quotes').selectOption('none')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(theImport(page)).toContainText('2 items imported')
  const items = await client.datasetItemList({ datasetId: people })
  expect(items.map(({ data }) => data['full_name'])).toEqual(['"Weird Al', 'Bob "B" C'])
})

test('a sheet of a workbook is chosen, and what it hides is told', async ({ page, client }) => {
  const objects = newName('objects')
  const optional = true
  await client.repoCreate({
    body: {
      name: objects,
      schema: [
        { name: 'inventory', type: 'integer' },
        { name: 'postcode', type: 'string', length: 10, optional },
      ],
    },
  })
  await page.goto(`/repo/${objects}/import`)
  const workbook = join(import.meta.dirname, '../packages/rows/test/files/xlsxwriter.xlsx')
  await choose(page).setInputFiles(workbook)
  const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
  await expect(choice('Sheet')).toHaveValue('Objects')
  await expect(choice('Rows before the names')).toHaveValue('2')
  await expect(page.getByText('1 merged area: only the first cell')).toBeVisible()
  await expect(page.getByRole('table').getByText('00501')).toBeVisible()
  await choice('Sheet').selectOption('Empty')
  await expect(page.getByRole('alert')).toContainText('xlsxwriter.xlsx has no rows')
  await choice('Sheet').selectOption('Objects')
  await choice('Rows before the names').selectOption('2')
  await expectAccessible(page, 'a sheet of a workbook')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(theImport(page)).toContainText('5 items imported')
  await expect(theImport(page)).toContainText('1 hidden row and 1 hidden column')
  const [item] = await client.datasetItemList({ datasetId: objects })
  expect(item?.data).toEqual({ inventory: 1, postcode: '00501' })
})

test('an encoding is proposed where a file is not UTF-8, and another one is chosen', async ({
  page,
  client,
}) => {
  const people = newName('people')
  await client.repoCreate({ body: { name: people, schema } })
  await page.goto(`/repo/${people}/import`)
  await choose(page).setInputFiles({
    name: 'people.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from('{"full_name":"Jürgen","country":"DE"}\n', 'latin1'),
  })
  const encoding = page.getByRole('combobox', { name: 'Encoding' })
  await expect(encoding).toHaveValue('windows-1252')
  await expect(page.getByText('This file is not in UTF-8')).toBeVisible()
  await expect(page.getByRole('table').getByText('Jürgen')).toBeVisible()
  await encoding.selectOption('windows-1251')
  await expect(page.getByRole('table').getByText('Jьrgen')).toBeVisible()
  await encoding.selectOption('')
  await expect(page.getByRole('alert')).toContainText('Line 1 is not valid UTF-8')
  await encoding.selectOption('windows-1252')
  await expectAccessible(page, 'an encoding that is proposed')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(theImport(page)).toContainText('1 item imported')
  const items = await client.datasetItemList({ datasetId: people })
  expect(items.map(({ data }) => data['full_name'])).toEqual(['Jürgen'])
})

test('cells without a value and an escape are found, and columns need no names', async ({
  page,
  client,
}) => {
  const people = newName('people')
  const optional = true
  await client.repoCreate({
    body: {
      name: people,
      schema: [
        { name: 'column_1', type: 'string', length: 30 },
        { name: 'column_2', type: 'integer', optional },
      ],
    },
  })
  await page.goto(`/repo/${people}/import`)
  const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
  await choose(page).setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('"Ada \\"the first\\", L.",1815\n"NULL",NULL\nNULL,1906\n'),
  })
  await expect(choice('Escapes')).toHaveValue('\\')
  await expect(choice('Without a value')).toHaveValue('NULL')
  await choice('Names of columns').selectOption('none')
  await expect(page.getByRole('table').getByText('Ada "the first", L.')).toBeVisible()
  await expect(page.getByText('column_1 is required').first()).toBeVisible()
  await expectAccessible(page, 'how cells are read')

  await page.getByLabel('When a row is refused').selectOption('skip')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(theImport(page)).toContainText('2 items imported')
  const items = await client.datasetItemList({ datasetId: people })
  expect(items.map(({ data }) => data)).toEqual([
    { column_1: 'Ada "the first", L.', column_2: 1815 },
    { column_1: 'NULL' },
  ])
})
