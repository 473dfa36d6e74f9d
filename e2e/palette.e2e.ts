import { addItem } from '@vitrine/client'
import { expect, newName, test } from './app.ts'
import { editorOf } from './editor.ts'
import { expectAccessible } from './expect-accessible.ts'
import { looks, wear } from './looks.ts'
import { openPalette, paletteOf } from './palette-page.ts'
import { addNotes } from './sample-data.ts'

test(
  'a dataset is found by its name and opened, by keyboard alone',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const notes = newName('needle')
    await addNotes(client, notes, 1)
    await page.goto('/view/')
    const link = page.getByRole('link', { name: 'Add', exact: true }).first()
    await link.focus()
    await page.keyboard.press('ControlOrMeta+k')
    const palette = paletteOf(page)
    const input = palette.getByRole('combobox')
    await expect(input).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    await expect(link).toBeFocused()

    await openPalette(page)
    await expect(input).toHaveValue('')
    // Enter holds for what was typed, however soon it comes.
    await page.keyboard.type(notes)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${server.url}/dataset/${notes}/item`)
    await expect(palette).toBeHidden()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByRole('table')).toContainText('note 1')
  },
)

test('the palette keeps characters typed before it has opened', async ({ page, client }) => {
  const notes = newName('hurried')
  await addNotes(client, notes, 3)
  await page.goto('/dataset/')
  await expect(page.getByRole('link', { name: notes, exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type(`${notes} note 2`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('cell', { name: 'note 2', exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(`/dataset/${notes}/item`)
})

test('fields and places are found, and arrows mark them', async ({ page, client, server }) => {
  const name = newName('rivers')
  const field = `gauge_${name.replaceAll('-', '_')}`
  await client.repoCreate({ body: { name, schema: [{ name: field, type: 'string' }] } })
  await page.goto('/view/')
  await openPalette(page)
  const input = paletteOf(page).getByRole('combobox')
  const options = paletteOf(page).getByRole('option')
  await page.keyboard.type('add v')
  await expect(options.filter({ hasText: 'Add view' })).toHaveAttribute('aria-selected', 'true')
  await input.fill(field)
  await expect(options).toHaveText([`${name}repository`, `${field}field of ${name}`])
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await expect(input).toHaveAttribute(
    'aria-activedescendant',
    (await options.last().getAttribute('id')) ?? '',
  )
  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/dataset/${name}`)
})

test('the palette lists recent datasets, latest first, and drops deleted ones', async ({
  page,
  client,
}) => {
  const [first, second] = [newName('first'), newName('second')]
  await addNotes(client, first, 1)
  await addNotes(client, second, 1)
  for (const name of [first, second]) {
    await page.goto(`/dataset/${name}/item`)
    await expect(page.getByRole('table')).toContainText('note 1')
  }
  await page.goto('/view/')
  await page.getByRole('button', { name: 'Search and commands' }).click()
  const recent = paletteOf(page).getByRole('group', { name: 'Recent' }).getByRole('option')
  await expect(recent).toHaveText([second, first])
  await recent.first().click()
  await expect(page.getByRole('table')).toContainText('note 1')

  await page.goto(`/dataset/${second}`)
  await page.getByRole('button', { name: 'delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(second)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Datasets' }).click()
  await openPalette(page)
  await expect(recent).toHaveText([first])
})

test('a dataset and a word lead to the items with that word', async ({ page, client }) => {
  const cities = newName('cities')
  await client.repoCreate({
    body: {
      name: cities,
      label: 'name',
      schema: [
        { name: 'code', type: 'string', length: 10 },
        { name: 'name', type: 'string', length: 80 },
      ],
    },
  })
  for (const name of ['Ulm', 'Neu-Ulm', 'Bonn']) await addItem(client, cities, { code: 'x', name })
  await page.goto('/view/')
  await openPalette(page)
  await page.keyboard.type(`${cities} ulm`)
  await page.keyboard.press('Enter')
  // Until then the list of views is still there, whose rows say how many items they have.
  await expect(page.getByRole('row', { name: 'Neu-Ulm' })).toBeVisible()
  await expect(page.getByText('2 items', { exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: 'Bonn' })).toHaveCount(0)

  // On a screen of the dataset its name need not be said.
  await openPalette(page)
  await page.keyboard.type('bonn')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: 'Bonn' })).toBeVisible()
  await expect(page.getByText('1 item', { exact: true })).toBeVisible()
})

test('an item is found by its name from anywhere, without that of its dataset', async ({
  page,
  client,
}) => {
  const countries = newName('countries')
  const cities = newName('cities')
  const name = { name: 'name', type: 'string' } as const
  await client.repoCreate({ body: { name: countries, schema: [name] } })
  const germany = await addItem(client, countries, { name: 'Germany' })
  const schema = [
    name,
    { name: 'country', type: 'reference', target: countries },
    { name: 'population', type: 'integer' },
  ] as const
  await client.repoCreate({ body: { name: cities, schema: [...schema] } })
  const word = `Xanten${cities.replaceAll(/\W/g, '')}`
  for (const each of [`Neu-${word}`, `${word}er Hof`, word]) {
    await addItem(client, cities, { name: each, country: germany, population: 21_690 })
  }
  await page.goto('/view/')
  await openPalette(page)
  await page.keyboard.type(word.toLowerCase())
  const found = paletteOf(page).getByRole('group', { name: 'Items found' }).getByRole('option')
  await expect(found).toHaveText([
    `${word}${cities} · Germany · 21,690`,
    `${word}er Hof${cities} · Germany · 21,690`,
  ])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dataset/${cities}/item/3$`))

  // The box on home looks in the same way, below the datasets.
  await page.goto('/dataset/')
  await page.getByRole('searchbox', { name: 'Search datasets' }).fill(word)
  const items = page.getByRole('region', { name: 'Items' }).getByRole('link')
  await expect(items).toHaveText([
    `${word} · ${cities} · Germany · 21,690`,
    `${word}er Hof · ${cities} · Germany · 21,690`,
  ])
  await items.first().click()
  await expect(page).toHaveURL(new RegExp(`/dataset/${cities}/item/3$`))
})

test('a screen offers what can be done on it', async ({ page, client, server }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 1)
  await page.goto(`/dataset/${notes}`)
  await expect(page.getByRole('button', { name: 'delete' })).toBeEnabled()
  await openPalette(page)
  const here = paletteOf(page).getByRole('group', { name: 'On this screen' }).getByRole('option')
  for (const label of [
    'Add item',
    'Import',
    'Export',
    'Edit',
    'Edit metadata',
    'Items',
    'delete',
  ]) {
    await expect(here.filter({ hasText: new RegExp(`^${label}$`) })).toBeVisible()
  }
  await page.keyboard.type('delete')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: `Delete ${notes}?` })).toBeVisible()
  await page.keyboard.press('Escape')
  await openPalette(page)
  await page.keyboard.type('export')
  await expect(here).toHaveText(['Export'])
  await here.click()
  await expect(page.getByRole('dialog', { name: `Export ${notes}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await openPalette(page)
  await page.keyboard.type('add item')
  await expect(here).toHaveText(['Add item'])
  await here.click()
  await expect(page).toHaveURL(`${server.url}/repo/${notes}/additem`)
})

test('items are filtered, and saved as a view, from the palette', async ({
  page,
  client,
  server,
}) => {
  const notes = newName('notes')
  await addNotes(client, notes, 1)
  await page.goto(`/dataset/${notes}/item`)
  await expect(page.getByRole('table')).toContainText('note 1')
  await openPalette(page)
  await page.keyboard.type('add filter')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await dialog.getByRole('textbox', { name: 'Value' }).fill('note')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('button', { name: 'Remove filter: text contains note' }),
  ).toBeVisible()
  await openPalette(page)
  await page.keyboard.type('save as')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`^${server.url}/addview\\?base=${notes}&where=`))
})

test('no key is taken from what is being typed', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes)
  await page.goto(`/repo/${notes}/additem`)
  const text = page.getByRole('textbox', { name: 'text' })
  await text.focus()
  await page.keyboard.type('a/b?')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(text).toHaveValue('a/b?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await text.fill('')
  await page.goto('/addrepo')
  await editorOf(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.insertText('\n')
  await page.keyboard.type('# a/b?')
  await expect(editorOf(page)).toContainText('# a/b?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('? shows the shortcuts, and keys pressed alone can be turned off', async ({ page }) => {
  await page.goto('/view/')
  await expect(page.getByRole('heading', { name: 'Views' })).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' })
  await expect(sheet).toContainText('Search and commands')
  await expectAccessible(page, 'the shortcuts')
  await sheet.getByRole('checkbox').uncheck()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.keyboard.press('/')
  await page.keyboard.press('?')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(paletteOf(page)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.type('shortcuts')
  await page.keyboard.press('Enter')
  await expect(sheet).toBeVisible()
})

test('the palette in every look, with long names, and when nothing is found', async ({
  page,
  client,
}) => {
  const long = newName('palette-look').padEnd(128, '-long')
  await addNotes(client, long, 1)
  const overflow = () =>
    page.evaluate(() => {
      const list = document.querySelector('[role=listbox]')!
      return list.scrollWidth - list.clientWidth
    })
  for (const look of looks) {
    const save = await wear(page, look)
    await page.goto(`/dataset/${long}/item`)
    await expect(page.getByRole('table')).toContainText('note 1')
    await openPalette(page)
    await page.keyboard.type('palette-look')
    // While it is typed there are others too.
    const found = paletteOf(page).getByRole('option').filter({ hasText: 'repository' })
    await expect(found.filter({ hasText: long })).toBeVisible()
    expect(await overflow()).toBe(0)
    await save('palette')
  }
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflow()).toBe(0)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 })
  await expectAccessible(page, 'the palette')
  await page.goto('/view/')
  await openPalette(page)
  // Words that begin the name of no other test's dataset, whose items they would lead to.
  await page.keyboard.type('xyzzy has this name')
  await expect(paletteOf(page).getByRole('status')).toHaveText(
    'Nothing found for “xyzzy has this name”',
  )
  await expectAccessible(page, 'the palette with nothing in it')
})
