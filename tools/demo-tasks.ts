import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import type { Page } from '@playwright/test'
import { addItem, createClient } from '@vitrine/client'
import { Person } from './person.ts'
import { startDemo } from './start-demo.ts'

// `npm run demo-tasks`: what a new user wants with the demo, done in a browser, with the steps that it takes and the
// seconds that a person would need (docs/tasks.md).

type Task = { name: string; run: (person: Person, page: Page) => Promise<void> }

const itemsOf = (page: Page, dataset: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: dataset, exact: true }) })
    .getByRole('link', { name: 'items' })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()

const palette = (page: Page) => page.getByRole('dialog').getByRole('option')

const tasks: Task[] = [
  {
    name: 'How many people live in Ulm?',
    run: async (person, page) => {
      await person.press('Control+k')
      await person.type('ulm')
      await person.read(palette(page).filter({ hasText: '120,451' }))
    },
  },
  {
    name: 'Find Ulm from home, by typing it',
    run: async (person, page) => {
      await person.click(page.getByRole('searchbox', { name: 'Search datasets' }))
      await person.type('Ulm')
      await person.click(page.getByRole('link', { name: /^Ulm/ }).first())
      await person.read(page.getByRole('heading', { name: 'Ulm' }))
    },
  },
  {
    name: 'The five largest cities of New Zealand',
    run: async (person, page) => {
      await person.press('Control+k')
      await person.type('new zealand')
      await person.click(palette(page).filter({ hasText: 'countries' }).first())
      await person.click(page.getByRole('link', { name: /^cities country/ }))
      await person.click(page.getByRole('button', { name: 'population', exact: true }))
      await person.read(row(page, 'Auckland'))
    },
  },
  {
    name: 'Which countries have no capital?',
    run: async (person, page) => {
      await person.click(itemsOf(page, 'countries'))
      await filterForMissing(person, page, 'capital')
      await person.read(row(page, 'Antarctica'))
    },
  },
  {
    name: 'A picture by its caption: the violin',
    run: async (person, page) => {
      await person.press('Control+k')
      await person.type('violin')
      await person.click(palette(page).filter({ hasText: 'emoji' }).first())
      await person.read(page.getByRole('main').locator('img').first())
    },
  },
  {
    name: 'Ten pictures further, by ten arrows 15 ms apart',
    run: async (person, page) => {
      await person.press('Control+k')
      await person.type('emoji')
      await person.click(palette(page).filter({ hasText: 'emoji' }).first())
      await person.click(page.getByRole('button', { name: 'Gallery' }))
      const tiles = page.getByRole('list', { name: /^Items of/ }).getByRole('listitem')
      const eleventh = await tiles.nth(10).getByRole('link').innerText()
      await person.click(tiles.first().getByRole('button', { name: /^View/ }))
      await person.read(page.getByRole('dialog').getByRole('heading'))
      await person.pressFast('ArrowRight', { times: 10, everyMs: 15 })
      await person.read(page.getByRole('dialog').getByRole('heading', { name: eleventh }))
    },
  },
  {
    name: 'Add a photograph by a person who is found by name',
    run: async (person, page) => {
      await person.click(itemsOf(page, 'photographs'))
      await person.click(page.getByRole('link', { name: 'Add item' }).first())
      await person.click(page.getByRole('textbox', { name: 'caption' }))
      await person.type('The mill')
      await person.press('Tab')
      await person.type('frances')
      await person.press('Enter')
      await person.read(page.getByRole('link', { name: /^item \d+ of people/ }))
      await person.chooseFile(page.locator('input[type=file]'), picture)
      await person.click(page.getByRole('button', { name: 'Submit' }))
      await person.read(page.getByRole('heading', { name: 'The mill' }))
    },
  },
  {
    name: 'Make a view of what is filtered, and export it',
    run: async (person, page) => {
      await person.click(itemsOf(page, 'countries'))
      await filterForMissing(person, page, 'capital')
      await person.click(page.getByRole('link', { name: 'Save as view' }))
      await person.read(page.locator('[contenteditable]:focus'))
      await person.type('no-capital')
      await person.click(page.getByRole('button', { name: 'Submit' }))
      await person.click(page.getByRole('link', { name: 'Show items' }))
      await person.click(page.getByRole('button', { name: 'Export' }))
      await person.click(page.getByRole('dialog').getByRole('button', { name: 'Download' }))
      await person.read(page.getByRole('dialog').getByText(/^Saved \d+ items/))
    },
  },
  {
    name: 'A repository of a CSV file with one bad cell, which is mended',
    run: async (person, page) => {
      await person.click(page.getByRole('link', { name: 'Repos', exact: true }))
      await person.click(page.getByRole('link', { name: 'Add', exact: true }))
      await person.chooseFile(page.getByLabel('Choose data'), goods)
      await person.click(page.getByRole('button', { name: 'As number' }))
      await person.click(page.getByRole('button', { name: 'Create and import' }))
      await person.click(page.getByRole('textbox', { name: 'weight on line 138' }))
      await person.press('Control+a')
      await person.type('12.5')
      await person.click(page.getByRole('button', { name: 'Import with the corrected row' }))
      await person.read(page.getByText('200 items imported'))
    },
  },
  {
    name: 'Why is a view empty?',
    run: async (person, page) => {
      await person.click(page.getByRole('link', { name: 'giants', exact: true }))
      await person.read(page.getByText('lets no item through'))
    },
  },
]

async function filterForMissing(person: Person, page: Page, field: string): Promise<void> {
  await person.click(page.getByRole('button', { name: 'Add filter' }))
  const dialog = page.getByRole('dialog', { name: 'Add filter' })
  await person.choose(dialog.getByLabel('Field', { exact: true }), field)
  await person.choose(dialog.getByLabel('Operator'), { label: 'is missing or empty' })
  await person.click(dialog.getByRole('button', { name: 'Add filter' }))
}

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const picture = join(tmpdir(), 'vitrine-mill.png')
const goods = join(tmpdir(), 'goods.csv')

await using opened = new AsyncDisposableStack()
const { page, url, accessToken } = await startDemo(opened)
writeFileSync(picture, Buffer.from(pixel, 'base64'))
const weights = Array.from({ length: 200 }, (_, index) => (index === 136 ? 'heavy' : index / 4))
writeFileSync(
  goods,
  ['name,weight', ...weights.map((weight, index) => `item ${index},${weight}`)].join('\n'),
)
await addDatasets()
await page.setViewportSize({ width: 1440, height: 900 })
// It would ask by a window of its own where to save, which only a person sees.
await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
for (const { name, run } of tasks) {
  await page.goto(`${url}/dataset/`)
  await page.waitForLoadState('networkidle')
  const person = new Person(page)
  await run(person, page)
  console.log(`${name}\t${person.steps} steps\t${person.seconds.toFixed(0)} s`)
}

async function addDatasets(): Promise<void> {
  const client = createClient({ baseUrl: url, token: () => accessToken })
  const name = { name: 'name', type: 'string' }
  await client.repoCreate({ body: { name: 'people', label: 'name', schema: [name] } })
  for (const each of ['Ada Lovelace', 'Frances Benjamin Johnston', 'Grace Hopper']) {
    await addItem(client, 'people', { name: each })
  }
  const schema = [
    { name: 'caption', type: 'string' },
    { name: 'taken_by', type: 'reference', target: 'people' },
    { name: 'image', type: 'binary', mime: 'image/png' },
  ]
  await client.repoCreate({ body: { name: 'photographs', label: 'caption', schema } })
  const where = { population: { gt: 1_000_000_000 } }
  await client.viewCreate({ body: { name: 'giants', base: 'cities', where } })
}
