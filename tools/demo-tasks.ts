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

const tasks: Task[] = [
  {
    name: 'How many people live in Ulm?',
    run: async (person, page) => {
      await person.press('Control+k')
      await person.type('cities ulm')
      await person.press('Enter')
      await person.read(row(page, 'Ulm'))
    },
  },
  {
    name: 'The five largest cities of New Zealand',
    run: async (person, page) => {
      await person.click(itemsOf(page, 'cities'))
      await person.click(page.getByRole('button', { name: 'Add filter' }))
      const dialog = page.getByRole('dialog', { name: 'Add filter' })
      await person.choose(dialog.getByLabel('Field', { exact: true }), 'country')
      await person.click(dialog.getByRole('combobox', { name: /^Find/ }))
      await person.type('new zea')
      await person.click(page.getByRole('option', { name: 'New Zealand' }))
      await person.click(dialog.getByRole('button', { name: 'Add filter' }))
      const sort = page
        .getByRole('columnheader', { name: 'population' })
        .getByRole('button')
        .first()
      await person.click(sort)
      await person.click(sort)
      await person.read(row(page, 'Auckland'))
    },
  },
  {
    name: 'Which countries have no capital?',
    run: async (person, page) => {
      await person.click(itemsOf(page, 'countries'))
      await person.click(page.getByRole('button', { name: 'Add filter' }))
      const dialog = page.getByRole('dialog', { name: 'Add filter' })
      await person.choose(dialog.getByLabel('Field', { exact: true }), 'capital')
      await person.choose(dialog.getByLabel('Operator'), { label: 'is missing or empty' })
      await person.click(dialog.getByRole('button', { name: 'Add filter' }))
      await person.read(row(page, 'Antarctica'))
    },
  },
  {
    name: 'A picture by its caption: the violin',
    run: async (person, page) => {
      await person.press('Control+k')
      await person.type('emoji violin')
      await person.press('Enter')
      await person.click(page.getByRole('button', { name: 'Gallery' }))
      await person.read(page.getByRole('link', { name: 'violin' }))
    },
  },
  {
    name: 'Add a photograph by a person who is found by name',
    run: async (person, page) => {
      await person.click(itemsOf(page, 'photographs'))
      await person.click(page.getByRole('link', { name: 'Add item' }).first())
      await person.click(page.getByRole('textbox', { name: 'caption' }))
      await person.type('The mill')
      await person.click(page.getByRole('combobox', { name: 'taken_by' }))
      await person.type('frances')
      await person.click(page.getByRole('option', { name: 'Frances' }))
      await person.chooseFile(page.locator('input[type=file]'), picture)
      await person.click(page.getByRole('button', { name: 'Submit' }))
      await person.read(page.getByRole('heading', { name: 'The mill' }))
    },
  },
  {
    name: 'Make a view of what is filtered, and export it',
    run: async (person, page) => {
      await person.click(itemsOf(page, 'countries'))
      await person.click(page.getByRole('button', { name: 'Add filter' }))
      const dialog = page.getByRole('dialog', { name: 'Add filter' })
      await person.choose(dialog.getByLabel('Field', { exact: true }), 'capital')
      await person.choose(dialog.getByLabel('Operator'), { label: 'is missing or empty' })
      await person.click(dialog.getByRole('button', { name: 'Add filter' }))
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
]

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const picture = join(tmpdir(), 'vitrine-mill.png')

await using opened = new AsyncDisposableStack()
const { page, url, accessToken } = await startDemo(opened)
writeFileSync(picture, Buffer.from(pixel, 'base64'))
await addPeople()
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

async function addPeople(): Promise<void> {
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
}
