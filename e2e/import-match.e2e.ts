import type { Page } from '@playwright/test'
import type { Client } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

const choose = (page: Page) => page.getByLabel('Choose a file')
const csv = (name: string, text: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

async function addCats(client: Client): Promise<string> {
  const repo = newName('cats')
  const schema = [
    { name: 'name', type: 'string', length: 20 },
    { name: 'age', type: 'integer', optional: true },
  ]
  await client.repoCreate({ body: { name: repo, schema } })
  const body = 'name,age\nTom,4\nTim,5\n'
  await client.importBegin({ datasetId: repo, format: 'csv', body })
  return repo
}

async function currentCats(client: Client, datasetId: string) {
  const items = await client.datasetItemList({ datasetId, current: true })
  return items.map(({ data }) => data)
}

test(
  'a file corrects the items that differ, once its difference was seen',
  { tag: '@core' },
  async ({ page, client }) => {
    const cats = await addCats(client)
    await page.goto(`/repo/${cats}/import`)
    await choose(page).setInputFiles(csv('cats.csv', 'id,age\n1,4\n2,6\n'))
    const submit = page.getByRole('button', { name: 'Import', exact: true })
    // Of a new item the name would be missing.
    await expect(submit).toBeDisabled()
    await page.getByRole('checkbox', { name: 'Correct items that are there already' }).check()
    await expect(page.getByRole('checkbox', { name: 'id', exact: true })).toBeChecked()
    const show = page.getByRole('button', { name: 'Show the difference' })
    await expect(show).toBeDisabled()
    await page.getByRole('textbox', { name: 'Reason' }).fill('the register')
    await expectAccessible(page, 'a file that corrects items')
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
    await show.click()

    const rows = page.getByRole('table', { name: 'Difference' }).getByRole('row')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(1)).toContainText('age')
    await expect(page.getByText('1 item to correct. 1 row changes nothing.')).toBeVisible()
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
    await expectAccessible(page, 'what a file is to change')
    expect(await currentCats(client, cats)).toEqual([
      { name: 'Tom', age: 4 },
      { name: 'Tim', age: 5 },
    ])
    await page.getByRole('button', { name: 'Correct the items' }).click()
    await expect(page.getByText('1 item corrected, 0 added')).toBeVisible()
    expect(await currentCats(client, cats)).toEqual([
      { name: 'Tom', age: 4 },
      { name: 'Tim', age: 6 },
    ])
  },
)

test('the rows of a file say themselves what they correct', async ({ page, client }) => {
  const cats = await addCats(client)
  await page.goto(`/repo/${cats}/import`)
  const text = 'name,age,id.replaces,id.withdraws,id.reason\nTom,5,1,,older\nTim,5,,2,\nTam,1,,,\n'
  await choose(page).setInputFiles(csv('cats.csv', text))
  await expect(page.getByRole('combobox', { name: 'Column id.replaces' })).toHaveValue('')
  await page.getByRole('checkbox', { name: 'Correct items that are there already' }).check()
  const saysItself = page.getByRole('checkbox', {
    name: 'id as in its id.replaces or id.withdraws',
  })
  await expect(saysItself).toBeChecked()
  await page.getByRole('textbox', { name: 'Reason' }).fill('the register')
  const show = page.getByRole('button', { name: 'Show the difference' })
  await expect(show).toBeEnabled()
  // Matched by another field, these columns are for nothing.
  await page.getByRole('checkbox', { name: 'name', exact: true }).check()
  await expect(saysItself).not.toBeChecked()
  await expect(page.getByText('The column id.reason is for rows that say')).toBeVisible()
  await expect(show).toBeDisabled()
  await saysItself.check()
  await expectAccessible(page, 'a file whose rows say what they correct')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  await show.click()
  await expect(page.getByText('is withdrawn')).toBeVisible()
  await page.getByRole('button', { name: 'Correct the items' }).click()
  await expect(page.getByText('2 items corrected, 1 added')).toBeVisible()
  expect(await currentCats(client, cats)).toEqual([
    { name: 'Tom', age: 5 },
    { name: 'Tam', age: 1 },
  ])
  const [, older] = await client.datasetVersionList({ datasetId: cats, itemId: 1 })
  expect(older).toMatchObject({ reason: 'older' })
})

test('what was checked waits in the list of imports, and can be left as it is', async ({
  page,
  client,
}) => {
  const cats = await addCats(client)
  await page.goto(`/repo/${cats}/import`)
  const begin = async (text: string) => {
    await choose(page).setInputFiles(csv('cats.csv', text))
    await page.getByRole('checkbox', { name: 'Correct items that are there already' }).check()
    await page.getByRole('checkbox', { name: 'name', exact: true }).check()
    await page.getByRole('textbox', { name: 'Reason' }).fill('the register')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Change nothing' })).toBeVisible()
  }
  await begin('name,age\nTim,6\n')
  await page.getByRole('button', { name: 'Change nothing' }).click()
  await expect(page.getByText('The import was cancelled.')).toBeVisible()

  await page.getByRole('button', { name: 'Import another file' }).click()
  await begin('name,age\nTim,7\nMia,\n')
  await page.reload()
  const list = page.getByRole('table', { name: 'Imports' })
  await expect(list).toContainText('checked: 1 item to correct, 1 item to add.')
  await page.getByRole('button', { name: /^Review/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row')).toHaveCount(3)
  await expectAccessible(page, 'the difference of an import in the list')
  await dialog.getByRole('button', { name: 'Correct the items' }).click()
  await expect
    .poll(() => currentCats(client, cats))
    .toEqual([{ name: 'Tom', age: 4 }, { name: 'Tim', age: 7 }, { name: 'Mia' }])
  await expect(list).not.toContainText('checked')
})

test('items that rows withdraw, or bring back, are in the difference', async ({ page, client }) => {
  const cats = await addCats(client)
  const matching = { match: ['id.replaces'], reason: 'the register', confirm: true }
  const begin = (body: string) =>
    client.importBegin({ datasetId: cats, format: 'csv', ...matching, body })
  await begin('id.withdraws,name,age\n2,Tim,5\n')
  await page.goto(`/repo/${cats}/import`)
  await page.getByRole('button', { name: /^Review/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row').nth(1)).toContainText('is withdrawn')
  await dialog.getByRole('button', { name: 'Correct the items' }).click()
  await expect.poll(() => currentCats(client, cats)).toEqual([{ name: 'Tom', age: 4 }])

  await begin('id.replaces,name,age\n3,Tim,5\n')
  await page.reload()
  await page.getByRole('button', { name: /^Review/ }).click()
  await expect(dialog.getByRole('row').nth(1)).toContainText('has the same values')
})

test('where a row is refused nothing is changed, and no other rows are offered', async ({
  page,
  client,
}) => {
  const cats = await addCats(client)
  await page.goto(`/repo/${cats}/import`)
  await choose(page).setInputFiles(csv('cats.csv', 'id,age\n1,3\n9,6\n'))
  await page.getByRole('checkbox', { name: 'Correct items that are there already' }).check()
  await page.getByRole('textbox', { name: 'Reason' }).fill('the register')
  await page.getByRole('button', { name: 'Show the difference' }).click()
  await expect(page.getByRole('button', { name: 'Import another file' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Refused rows' })).toContainText(
    'there is no item 9',
  )
  await expect(page.getByRole('button', { name: 'Import the rows that are good' })).toHaveCount(0)
  expect(await currentCats(client, cats)).toHaveLength(2)
})

test('a file that changes nothing says so, also of fields with long names', async ({
  page,
  client,
}) => {
  const cats = newName('cats')
  const name = 'n'.repeat(63)
  const schema = [{ name, type: 'string', length: 200 }]
  await client.repoCreate({ body: { name: cats, schema } })
  const body = `${name}\n${'x'.repeat(200)}\n`
  await client.importBegin({ datasetId: cats, format: 'csv', body })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/repo/${cats}/import`)
  await choose(page).setInputFiles(csv('cats.csv', body))
  await page.getByRole('checkbox', { name: 'Correct items that are there already' }).press('Space')
  await page.getByRole('checkbox', { name, exact: true }).press('Space')
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  await page.getByRole('textbox', { name: 'Reason' }).fill('the register')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing is to be changed. 1 row changes nothing.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).press('Enter')
  await expect(page.getByText('The repository is as it was.')).toBeVisible()

  await page.getByRole('button', { name: 'Import another file' }).press('Enter')
  await choose(page).setInputFiles(csv('more.csv', `${name}\n${'y'.repeat(200)}\n`))
  await page.getByRole('checkbox', { name: 'Correct items that are there already' }).press('Space')
  await page.getByRole('checkbox', { name, exact: true }).press('Space')
  await page.getByRole('textbox', { name: 'Reason' }).fill('the register')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 item to add.', { exact: true })).toBeVisible()
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
})
