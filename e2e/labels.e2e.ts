import type { Client } from '@vitrine/client'
import { addItem } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'

const longName = 'Wolfgang Amadeus '.repeat(10).trim()

/** Adds people, and letters between them; returns the names of both. */
async function addLetters(client: Client) {
  const [people, letters] = [newName('people'), newName('letters')]
  const name = { name: 'name', type: 'string' }
  const key = { name: 'key', type: 'string', optional: true }
  const site = { name: 'site', type: 'url', optional: true }
  await client.repoCreate({ body: { name: people, label: 'name', schema: [key, name, site] } })
  await addItem(client, people, { key: 'a-1', name: 'Ada' })
  await addItem(client, people, { key: 'w-2', name: longName })
  const to = (field: string) => ({ name: field, type: 'reference', target: people })
  const schema = [{ ...name, name: 'subject' }, to('sender'), to('receiver')]
  await client.repoCreate({ body: { name: letters, schema } })
  await addItem(client, letters, { subject: 'Hello', sender: 1, receiver: 2 })
  await addItem(client, letters, { subject: 'Again', sender: 1, receiver: 1 })
  return { people, letters }
}

test(
  'references in a table are links by the labels of their items',
  { tag: '@core' },
  async ({ page, client }) => {
    const { people, letters } = await addLetters(client)
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.endsWith('/label')) asked.push(pathname + search)
    })
    await page.goto(`/dataset/${letters}/item`)
    const row = page.getByRole('row', { name: 'Hello' })
    await expect(row.getByRole('link', { name: 'Ada 1' })).toHaveAttribute(
      'href',
      `/dataset/${people}/item/1`,
    )
    await expect(row.getByRole('link', { name: `${longName} 2` })).toHaveAttribute(
      'href',
      `/dataset/${people}/item/2`,
    )
    expect(asked).toEqual([`/api/dataset/${people}/label?ids=1%2C2`])
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await expectAccessible(page, `labels at ${width}`)
    }
  },
)

test('a card shows the item of a hovered reference, until the pointer leaves or Escape', async ({
  page,
  client,
}) => {
  const { people, letters } = await addLetters(client)
  await page.goto(`/dataset/${letters}/item`)
  const row = page.getByRole('row', { name: 'Hello' })
  const card = row.locator('[popover]').filter({ hasText: `${people} / ` })
  await row.getByRole('link', { name: 'Ada 1' }).hover()
  await expect(card).toBeVisible()
  await expect(card).toContainText('keya-1nameAda')
  await expectAccessible(page, 'hover card')
  // On the card it stays.
  await card.getByText('a-1').hover()
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()

  await row.getByRole('link', { name: `${longName} 2` }).hover()
  await expect(card).toContainText(`${people} / 2`)
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(card).toBeHidden()
})

test('a card shows the item of a reference focused by keyboard, and Tab goes through the card', async ({
  page,
  client,
}) => {
  const { people, letters } = await addLetters(client)
  await addItem(client, people, { name: 'Grace', site: 'https://example.org/grace' })
  await addItem(client, letters, { subject: 'From Grace', sender: 3, receiver: 1 })
  await page.goto(`/dataset/${letters}/item`)
  const row = page.getByRole('row', { name: 'From Grace' })
  const card = row.locator('[popover]')
  const sender = row.getByRole('link', { name: 'Grace 3' })
  const receiver = row.getByRole('link', { name: 'Ada 1' })
  await receiver.focus()
  await page.keyboard.press('Shift+Tab')
  await expect(sender).toBeFocused()
  await expect(card).toContainText('https://example.org/grace')
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()
  await expect(sender).toBeFocused()

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(card).toContainText('https://example.org/grace')
  // Past the link that stands in the card.
  await page.keyboard.press('Tab')
  await expect(receiver).toBeFocused()
  await expect(card).toContainText(`${people} / 1`)
})

test('an item is headed by its label, and lists what refers to it', async ({ page, client }) => {
  const { people, letters } = await addLetters(client)
  await page.goto(`/dataset/${people}/item/1`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ada')
  await expect(page).toHaveTitle(/^Ada · /)
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Item 1')

  const referrers = page.getByRole('region', { name: 'Items that refer to this one' })
  await expect(referrers.getByRole('listitem')).toHaveText([
    `${letters} sender2 items`,
    `${letters} receiver1 item`,
  ])
  await expectAccessible(page, 'an item with referrers')
  await referrers.getByRole('link', { name: `${letters} receiver` }).click()
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('row', { name: 'Again' })).toBeVisible()
})

test('the heading of an item stays on one line', async ({ page, client }) => {
  const { people } = await addLetters(client)
  await page.setViewportSize({ width: 320, height: 844 })
  await page.goto(`/dataset/${people}/item/1`)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Ada')
  const { height } = (await heading.boundingBox())!
  await page.goto(`/dataset/${people}/item/2`)
  await expect(heading).toHaveText(longName)
  expect((await heading.boundingBox())!.height).toBe(height)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('an item that nothing can refer to has no list of what refers to it', async ({
  page,
  client,
}) => {
  const { letters } = await addLetters(client)
  await page.goto(`/dataset/${letters}/item/1`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello')
  await expect(page.getByRole('region', { name: 'Items that refer to this one' })).toBeHidden()
})

test('a reference is picked by words of its label, by keyboard', async ({ page, client }) => {
  const { people, letters } = await addLetters(client)
  await addItem(client, people, { name: 'Émilie du Châtelet' })
  await page.goto(`/repo/${letters}/additem`)
  const finder = page.getByRole('combobox', { name: 'sender' })
  await finder.click()
  await expect(page.getByRole('option')).toHaveText(['Ada1', `${longName}2`, 'Émilie du Châtelet3'])
  await finder.fill('chat emi')
  await expect(page.getByRole('option')).toHaveText(['Émilie du Châtelet3'])
  await finder.press('Enter')
  await expect(finder).toHaveValue('Émilie du Châtelet')
  await expect(page.getByRole('link', { name: `item 3 of ${people}` })).toBeVisible()
  await finder.fill('nobody')
  await expect(page.getByText('No item has these words.')).toBeVisible()
  await finder.press('Escape')
  await finder.press('Tab')
  await expect(page.getByText('Choose an item of the list, or type its id')).toBeVisible()

  // Enter before the list is there takes its first item; a name in full needs no choice.
  await finder.fill('')
  await finder.pressSequentially('emilie')
  await finder.press('Enter')
  await expect(finder).toHaveValue('Émilie du Châtelet')
  const receiver = page.getByRole('combobox', { name: 'receiver' })
  await receiver.fill('Ada')
  await expect(page.getByRole('option')).toHaveText(['Ada1'])
  await receiver.press('Tab')
  await expect(receiver).toHaveValue('Ada')
  // Words that name nothing do not send the form.
  await receiver.fill('nobody')
  await receiver.press('Enter')
  await expect(page.getByText('No item has these words.')).toBeVisible()
  await receiver.press('Enter')
  await expect(page.getByText('This field is required')).toBeHidden()
  await receiver.fill('2')
  await expect(page.getByRole('option').first()).toHaveText(`${longName}2`)
  await receiver.press('Tab')
  await expect(receiver).toHaveValue(longName)
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await expectAccessible(page, `a form with references at ${width}`)
  }
})

test('a filter takes an item by words of its label, by keyboard', async ({ page, client }) => {
  const { people, letters } = await addLetters(client)
  await addItem(client, people, { name: 'Émilie du Châtelet' })
  await addItem(client, letters, { subject: 'To the king', sender: 3, receiver: 1 })
  await page.goto(`/dataset/${letters}/item`)
  await page.getByRole('button', { name: 'Add filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  // What finds items has not come yet.
  const { promise: heldBack, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await heldBack
    await route.continue()
  })
  await dialog.getByLabel('Field', { exact: true }).selectOption('sender')
  const { height } = (await dialog.boundingBox())!
  letThrough()
  const finder = dialog.getByRole('combobox', { name: 'Value' })
  await expect(finder).toBeVisible()
  expect((await dialog.boundingBox())!.height).toBe(height)
  await finder.fill('chat emi')
  await expect(page.getByRole('option', { name: 'Émilie' })).toBeVisible()
  await finder.press('Escape')
  await expect(page.getByRole('option', { name: 'Émilie' })).toBeHidden()
  await expect(dialog).toBeVisible()
  // What is pasted may be what is there.
  await finder.press('ControlOrMeta+a')
  await page.keyboard.insertText('chat emi')
  await expect(page.getByRole('option', { name: 'Émilie' })).toBeVisible()
  await finder.fill('chatelet')
  await expect(page.getByRole('option', { name: 'Émilie' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Ada' })).toBeHidden()
  await finder.press('Enter')
  await expect(finder).toHaveValue('Émilie du Châtelet')
  await expect(dialog.getByRole('link', { name: `item 3 of ${people}` })).toBeVisible()
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page, `a filter of references at ${width}`)
  }
  await dialog.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByRole('cell', { name: 'To the king' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Hello' })).toBeHidden()
  expect(new URL(page.url()).searchParams.get('where')).toBe('{"sender":{"eq":3}}')

  await page.getByRole('button', { name: 'sender is Émilie du Châtelet', exact: true }).click()
  const change = page.getByRole('dialog', { name: 'Change filter' })
  const value = change.getByRole('combobox', { name: 'Value' })
  await expect(value).toHaveValue('Émilie du Châtelet')
  await change.getByLabel('Operator').selectOption('is one of')
  const values = change.getByRole('combobox', { name: 'Values' })
  await values.pressSequentially('ada')
  await values.press('Enter')
  await expect(change.getByText('Ada', { exact: true })).toBeVisible()
  await expect(values).toHaveValue('')
  await values.fill('2')
  await change.getByRole('button', { name: 'Change' }).click()
  const chip = page.getByRole('button', { name: /^sender is one of/ })
  await expect(chip).toHaveText(`sender is one of Émilie du Châtelet, Ada, ${longName}`)
  await page.reload()
  await expect(chip).toHaveText(`sender is one of Émilie du Châtelet, Ada, ${longName}`)
})
