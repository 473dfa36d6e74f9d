import type { Page } from '@playwright/test'
import { expect, newName, test } from './app.ts'

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
  await choose(page).setInputFiles(file('rows.csv', Buffer.from('full_name\nZo\xeb\n', 'latin1')))
  await expect(page.getByRole('alert')).toContainText('is not valid UTF-8')
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
