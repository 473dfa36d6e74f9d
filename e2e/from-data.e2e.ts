import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { picture } from './sample-data.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test(
  'a file of rows becomes a repository with its rows in one go',
  { tag: '@core' },
  async ({ page, client }) => {
    const name = newName('towns')
    await page.goto('/addrepo')
    await page.getByLabel('Choose data').setInputFiles({
      name: `${name}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from('Name,Country Code,pop\nRoma,IT,2800000\nOtaki,NZ,\n'),
    })
    const editor = page.getByRole('textbox', { name: 'Enter YAML repository description' })
    await expect(editor).toContainText('name: Country_Code, type: string, length: 10')
    await expectAccessible(page, 'a description of data')
    await page.getByRole('button', { name: 'Create and import' }).click()
    await expect(page.getByRole('region', { name: 'The import' })).toContainText('2 items imported')
    const items = await client.datasetItemList({ datasetId: name })
    expect(items.map(({ data }) => data)).toEqual([
      { Name: 'Roma', Country_Code: 'IT', pop: 2_800_000 },
      { Name: 'Otaki', Country_Code: 'NZ' },
    ])
    const { schema } = await client.datasetGet({ datasetId: name })
    expect(schema[2]).toEqual({ name: 'pop', type: 'integer', optional: true })
  },
)

test('a column that one value makes text says so, and is given its type above the description', async ({
  page,
}) => {
  const weights = Array.from({ length: 200 }, (_, index) => String(index / 4)).with(136, 'heavy')
  const rows = weights.map((weight, index) => `${index},item ${index},${weight}`)
  await page.goto('/addrepo')
  await page.getByLabel('Choose data').setInputFiles({
    name: 'goods.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['no,name,weight', ...rows].join('\n')),
  })
  const editor = page.getByRole('textbox', { name: 'Enter YAML repository description' })
  const columns = page.getByRole('table', { name: 'Columns of the file' })
  const weight = columns.getByRole('row', { name: /^weight/ })
  await expect(weight).toContainText('199 of 200 are numbers; line 138: heavy')
  const asNumber = weight.getByRole('button', { name: 'As number' })
  const asText = weight.getByRole('button', { name: 'As text' })
  await expect(asText).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page, 'columns of a file')
  await asNumber.focus()
  await page.keyboard.press('Enter')
  await expect(asNumber).toHaveAttribute('aria-pressed', 'true')
  await expect(asNumber).toBeFocused()
  await expect(editor).toContainText('name: weight, type: number }')
  await columns.getByLabel('Type of no').selectOption('string')
  await expect(editor).toContainText('name: no, type: string, length: 10 }')
  await asText.click()
  await expect(editor).toContainText('name: weight, type: string, length: 10 }')
  await page.setViewportSize({ width: 320, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('the encoding of a file is found however late it shows, and is seen before it is used', async ({
  page,
  client,
}) => {
  const name = newName('latin')
  const rows = Array.from({ length: 100_000 }, (_, at) => `Berlin,${at}\n`)
  await page.goto('/addrepo')
  await page.getByLabel('Choose data').setInputFiles({
    name: `${name}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`town,n\n${rows.join('')}Köln,5\n`, 'latin1'),
  })
  const editor = page.getByRole('textbox', { name: 'Enter YAML repository description' })
  await expect(editor).toContainText('text in windows-1252')
  await page.getByRole('button', { name: 'Create and import' }).click()
  await expect(page.getByRole('combobox', { name: 'Encoding' })).toHaveValue('windows-1252')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('region', { name: 'The import' })).toContainText('items imported')
  const [last] = await client.datasetItemList({ datasetId: name, page: 100_000, pageSize: 1 })
  expect(last!.data).toEqual({ town: 'Köln', n: 5 })
})

test('a repository whose file cannot be imported is deleted again, and the failure is told', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 431/)
  const name = newName('wide')
  // The mapping of so many odd names is longer than an address may be.
  const columns = Array.from({ length: 200 }, (_, at) => `${at} ${'x'.repeat(100)}`)
  await page.goto('/addrepo')
  await page.getByLabel('Choose data').setInputFiles({
    name: `${name}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`${columns.join(',')}\n${columns.map(() => 'v').join(',')}\n`),
  })
  await page.getByRole('button', { name: 'Create and import' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText(`the repository ${name} was empty, and is deleted again`)
  await expect(page).toHaveURL('/addrepo')
  await expectAccessible(page, 'a file that was not imported')
  const datasets = await client.datasetList({})
  expect(datasets.map((each) => each.name)).not.toContain(name)
})

test('a folder of images becomes a repository of them', async ({ page, client }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-e2e-images-'))
  mkdirSync(join(folder, 'small'))
  for (const index of [1, 2, 3]) {
    writeFileSync(join(folder, 'small', `${index}.png`), picture(index))
  }
  writeFileSync(join(folder, 'README.txt'), 'not a picture')
  await page.goto('/addrepo')
  await page.getByLabel('a folder').setInputFiles(folder)
  await page.getByRole('button', { name: 'Create and add the files' }).click()
  await expect(page.getByRole('region', { name: 'Progress' })).toContainText(
    '3 of 4 files, 1 refused',
  )
  const { totalItems } = await client.datasetCount({ datasetId: basename(folder) })
  expect(totalItems).toBe(3)
  rmSync(folder, { recursive: true })
})

test('files of any kinds become a repository of octets', async ({ page, client }) => {
  const name = newName('papers')
  const folder = join(mkdtempSync(join(tmpdir(), 'vitrine-e2e-papers-')), name)
  mkdirSync(folder)
  for (const file of ['a.csv', 'b.pdf', 'c']) writeFileSync(join(folder, file), `This is ${file}`)
  await page.goto('/addrepo')
  await page.getByLabel('a folder').setInputFiles(folder)
  await page.getByRole('button', { name: 'Create and add the files' }).click()
  await expect(page.getByRole('region', { name: 'Progress' })).toContainText('3 of 3 files')
  expect((await client.datasetCount({ datasetId: name })).totalItems).toBe(3)
  rmSync(folder, { recursive: true })
})

test('a malformed CSV file is refused with a reason, and the form stays', async ({ page }) => {
  await page.goto('/addrepo')
  await page.getByLabel('Choose data').setInputFiles({
    name: 'rows.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('a,b\n"open'),
  })
  await expect(page.getByRole('alert')).toContainText('has a cell in quotes that does not end')
  await expect(page.getByRole('button', { name: 'Submit' })).toBeVisible()
})
