import type { Page } from '@playwright/test'
import { addItem, correctItem } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { editorOf } from './editor.ts'
import { expectAccessible } from './expect-accessible.ts'
import { addPhotos, addPeople, picture } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'

const banner = (page: Page) => page.getByRole('complementary', { name: 'Version' })
const versions = (page: Page) =>
  page.getByRole('region', { name: 'Versions' }).getByRole('listitem')

test(
  'an item is corrected, withdrawn and brought back, and says so wherever it is read',
  { tag: '@core' },
  async ({ page, client }) => {
    const [people, photos] = [newName('people'), newName('photos')]
    const [taker] = await addPeople(client, people)
    await addPhotos(client, photos, people)
    const image = new Blob([picture(1)], { type: 'image/png' })
    const first = await addItem(client, photos, { title: 'Mroning', image, taken_by: taker! })
    await page.goto(`/dataset/${photos}/item/${first}`)
    await expect(banner(page)).toHaveCount(0)
    await page.getByRole('link', { name: 'Correct', exact: true }).click()
    await expect(page).toHaveURL(`/repo/${photos}/item/${first}/correct`)

    const title = page.getByRole('textbox', { name: 'title' })
    await expect(title).toHaveValue('Mroning')
    await title.fill('Morning')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('This field is required')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused()
    await page.keyboard.type('a typing error')
    await expectAccessible(page, 'a correction')
    await page.keyboard.press('Enter')

    const second = first + 1
    await expect(page).toHaveURL(`/dataset/${photos}/item/${second}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Morning')
    await expect(page.getByRole('img', { name: /image/ }).first()).toBeVisible()
    await expect(banner(page)).toContainText(`Corrects item ${first}: a typing error`)
    await expect(versions(page)).toHaveCount(2)

    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.keyboard.type('not ours')

    await page.keyboard.press('Enter')
    const third = second + 1
    await expect(page).toHaveURL(`/dataset/${photos}/item/${third}`)
    await expect(banner(page)).toContainText(`Withdraws item ${second}: not ours`)
    await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toHaveCount(0)

    await page.goto(`/dataset/${photos}/item/${first}`)
    await expect(banner(page)).toContainText('Withdrawn: not ours')
    await expect(page.getByRole('link', { name: 'Correct', exact: true })).toHaveCount(0)

    await expectAccessible(page, 'an item that was withdrawn')
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)

    await banner(page).getByRole('link', { name: 'Go to the latest version' }).click()
    await page.getByRole('link', { name: 'Bring back' }).click()
    expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('textbox', { name: 'Reason' }).fill('it is ours')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(versions(page)).toHaveCount(4)
    const { data } = await client.datasetItemGet({ datasetId: photos, itemId: third + 1 })
    expect(data).toMatchObject({ title: 'Morning', taken_by: taker })
    await page.goto(`/dataset/${photos}/item`)
    const rows = page.getByRole('row')
    await expect(rows.filter({ hasText: 'Mroning' })).toContainText(`replaced by ${third + 1}`)
    await expect(page.getByText('replaced by')).toHaveCount(3)
    await rows.filter({ hasText: 'Mroning' }).getByText('Mroning').click({ force: true })
    await expect(banner(page)).toContainText(`Replaced by item ${second}: a typing error`)
    await expectAccessible(page, 'items that were replaced')
    // Of before the corrections nothing is said.
    await page.goto(`/dataset/${photos}@1/item/${first}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mroning')
    await expect(banner(page)).toHaveCount(0)
  },
)

test('the current items alone are shown, counted and saved as a view', async ({ page, client }) => {
  const people = newName('people')
  const [first, second] = await addPeople(client, people)
  const third = await addItem(client, people, { name: 'Grace Hopper' })
  await page.goto(`/dataset/${people}/item`)
  const toggle = page.getByRole('button', { name: 'Current only' })
  const filters = page.getByRole('region', { name: 'Filters' })
  await expect(page.getByRole('row')).toHaveCount(4)
  await expect(toggle).toHaveCount(0)

  const latest = await correctItem(client, people, first!, {
    values: { name: 'Ada King' },
    reason: 'married',
  })
  await client.itemWithdraw({ datasetId: people, itemId: second!, body: { reason: 'added twice' } })
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(6)
  await toggle.press('Enter')
  await expect(page).toHaveURL(`/dataset/${people}/item?current=true`)
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(filters).toContainText('2 items')
  await expect(page.getByText(/replaced by|withdrawn|withdraws/)).toHaveCount(0)
  await expectAccessible(page, 'current items')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1280, height: 720 })

  await page.getByRole('link', { name: 'Summary' }).click()
  await expect(page).toHaveURL(`/dataset/${people}/summary?current=true`)
  await expect(page.getByText('2 items that are current')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('row')).toHaveCount(3)
  const ada = page.getByRole('row').filter({ hasText: 'Ada King' })
  await ada.getByText('Ada King').click({ force: true })
  await page.getByRole('link', { name: 'Open item' }).click()
  await expect(page).toHaveURL(`/dataset/${people}/item/${latest}`)
  // The way on leads past what was replaced.
  const previous = page.getByRole('link', { name: 'Previous item' })
  await expect(previous).toBeVisible()
  await expect(page.getByRole('link', { name: 'Next item' })).toHaveCount(0)
  await previous.click()
  await expect(page).toHaveURL(`/dataset/${people}/item/${third}`)

  await page.goto(`/dataset/${people}@3/item?current=true`)
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.goto(`/dataset/${people}/item?current=true`)
  await filters.getByRole('link', { name: 'Save as view' }).click()
  await expect(editorOf(page)).toContainText('current: true')

  await client.itemWithdraw({ datasetId: people, itemId: latest, body: { reason: 'nobody' } })
  await client.itemWithdraw({ datasetId: people, itemId: third, body: { reason: 'nobody' } })
  await page.goto(`/dataset/${people}/item?current=true`)
  await expect(page.getByText('No item is current')).toBeVisible()
  await page.getByRole('button', { name: 'Show all items' }).click()
  await expect(page.getByRole('row')).toHaveCount(8)
})

test('a reference leads on to what its item was replaced by', async ({ page, client }) => {
  const [people, photos] = [newName('people'), newName('photos')]
  const [taker] = await addPeople(client, people)
  await addPhotos(client, photos, people)
  const image = new Blob([picture(1)], { type: 'image/png' })
  const item = await addItem(client, photos, { title: 'Fog', image, taken_by: taker! })
  await page.goto(`/dataset/${photos}/item/${item}`)
  await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible()
  await expect(page.getByText(/replaced|withdrawn/)).toHaveCount(0)
  const values = { name: 'Ada King' }
  const latest = await correctItem(client, people, taker!, { values, reason: 'married' })
  await page.reload()
  await expect(page.getByText(`replaced by item ${latest}`)).toBeVisible()
  await page.goto(`/repo/${photos}/additem`)
  await page.getByRole('combobox', { name: 'taken_by' }).click()
  await expect(page.getByRole('listbox').getByRole('option', { name: 'Ada King' })).toBeVisible()
  await expect(page.getByRole('listbox').getByText('Ada Lovelace')).toHaveCount(0)
  await page.goto(`/dataset/${photos}/item/${item}`)
  const body = { reason: 'not a photographer' }
  await client.itemWithdraw({ datasetId: people, itemId: latest, body })
  await page.reload()
  await page.getByRole('link', { name: `item ${latest + 1}` }).click()
  await expect(banner(page)).toContainText(`Withdraws item ${latest}: not a photographer`)
})

test('a view says of a version that it does not have that it is there, at any length of names', async ({
  page,
  client,
}) => {
  const name = newName('n').padEnd(128, 'x')
  const view = newName('v').padEnd(128, 'y')
  const schema = [{ name: 'text', type: 'string', length: 20, optional: true }]
  await client.repoCreate({ body: { name, schema } })
  await client.viewCreate({ body: { name: view, base: name, where: { text: { contains: 'w' } } } })
  const item = await addItem(client, name, { text: 'wrong' })
  const reason = 'r'.repeat(500)
  const other = await correctItem(client, name, item, { values: { text: null }, reason })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/dataset/${view}/item/${item}`)
  await expect(banner(page)).toHaveText(`Replaced by item ${other}, which is not in ${view}`)
  await expect(versions(page)).toHaveCount(2)
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
  await page.goto(`/dataset/${name}/item/${item}`)
  await expect(banner(page)).toContainText(reason)
  expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
})

test('a correction that comes second is told what came first', async ({
  page,
  client,
  console,
}) => {
  console.expect(/status of 409/)
  const people = newName('people')
  const [first] = await addPeople(client, people)
  await page.goto(`/repo/${people}/item/${first}/correct`)
  await page.getByRole('textbox', { name: 'name' }).fill('Ada King')
  const other = await correctItem(client, people, first!, {
    values: { name: 'Augusta Ada King' },
    reason: 'her name from 1835',
  })
  await page.getByRole('textbox', { name: 'Reason' }).fill('a later name')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toContainText('item was replaced')
  await page.getByRole('link', { name: `Look at item ${other}` }).click()
  await expect(banner(page)).toContainText(`Corrects item ${first}: her name from 1835`)
})

test('an item of a view is corrected in its repository, and marked in a gallery', async ({
  page,
  client,
}) => {
  const [people, photos, view] = [newName('people'), newName('photos'), newName('mornings')]
  const [taker] = await addPeople(client, people)
  await addPhotos(client, photos, people)
  const image = new Blob([picture(1)], { type: 'image/png' })
  const first = await addItem(client, photos, { title: 'Morning', image, taken_by: taker! })
  await client.viewCreate({
    body: { name: `${view}-all`, base: photos, where: { title: { contains: 'orning' } } },
  })
  await client.viewCreate({ body: { name: view, base: `${view}-all` } })
  await page.goto(`/dataset/${view}/item/${first}`)
  await page.getByRole('link', { name: 'Correct', exact: true }).click()
  await expect(page).toHaveURL(`/repo/${photos}/item/${first}/correct`)
  await page.getByRole('textbox', { name: 'title' }).fill('Early morning')
  await page.getByRole('textbox', { name: 'Reason' }).fill('it was early')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/dataset/${photos}/item/${first + 1}`)

  await page.goto(`/dataset/${view}/item/${first}`)
  await expect(banner(page)).toContainText(`Replaced by item ${first + 1}`)
  await expect(page.getByRole('link', { name: 'Correct', exact: true })).toHaveCount(0)
  await page.goto(`/dataset/${view}/item?as=gallery`)
  const tiles = page.getByRole('list', { name: `Items of ${view}` }).getByRole('listitem')
  await expect(tiles).toHaveText([`Morning replaced by ${first + 1}`, 'Early morning'])
  await expectAccessible(page, 'a gallery with an item that was replaced')
})
