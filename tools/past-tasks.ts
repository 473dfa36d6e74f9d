import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { addItem } from '@vitrine/client'
import { launchServer } from '../e2e/launch-server.ts'
import { clientOf, signIn } from '../e2e/sign-in.ts'
import { build } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { openPage, timeTask } from './person.ts'
import { ensurePythonEnvironment } from './python-environment.ts'

// `npm run past-tasks`: what somebody wants of a dataset with a past, done in a browser, a terminal and a notebook, with
// the steps that it takes and the seconds that a person would need (docs/tasks.md).

const python = ensurePythonEnvironment()
const vitrine = join(import.meta.dirname, '../packages/cli/src/main.ts')
build()
await using opened = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'vitrine-past-tasks-'))
opened.defer(() => rmSync(folder, { recursive: true }))
const server = await launchServer({})
opened.defer(server.remove)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
opened.defer(() => browser.close())
const page = await openPage(browser)
// Playwright cannot answer its dialog.
await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
const { url } = server
await signIn(page, url)
const client = await clientOf(page)
const schema = [{ name: 'title', type: 'string', length: 40 }]
await client.repoCreate({ body: { name: 'photos', schema } })
for (const title of ['Mill', 'Brigde', 'Harbour']) await addItem(client, 'photos', { title })
const copied = () => page.evaluate(() => navigator.clipboard.readText())

await timeTask('Cite what is on the screen', { page, url }, async (person) => {
  await person.click(page.getByRole('link', { name: 'photos', exact: true }))
  await person.click(page.getByRole('link', { name: 'About' }))
  await person.click(page.getByRole('button', { name: 'Copy the citation' }))
  if (!(await copied()).includes('photos@3')) throw new Error(`copied ${await copied()}`)
})

await timeTask('Correct a typing error', { page, url }, async (person) => {
  await person.click(page.getByRole('link', { name: 'photos', exact: true }))
  await person.click(page.getByRole('row').filter({ hasText: 'Brigde' }).getByRole('rowheader'))
  await person.click(page.getByRole('link', { name: 'Open item' }))
  await person.click(page.getByRole('link', { name: 'Correct', exact: true }))
  await person.click(page.getByRole('textbox', { name: 'title' }))
  await person.press('Control+a')
  await person.type('Bridge')
  await person.press('Tab')
  await person.type('a typing error')
  await person.click(page.getByRole('button', { name: 'Submit' }))
  await person.read(page.getByRole('heading', { name: 'Bridge' }))
})

await timeTask('What has changed since a citation?', { page, url }, async (person) => {
  await person.typeElsewhere('', {
    pasting: true,
    run: async () => void (await page.goto(`${url}/dataset/photos@3`)),
  })
  await person.click(page.getByRole('link', { name: 'Changes since' }))
  await person.read(page.getByRole('table').getByRole('row').filter({ hasText: 'corrects 2' }))
})

await timeTask('Take a bundle along, and verify it', { page, url }, async (person) => {
  await person.click(page.getByRole('link', { name: 'photos', exact: true }))
  await person.click(page.getByRole('button', { name: 'Export' }))
  await person.click(page.getByText(/^Bundle/))
  const path = join(folder, 'photos.bundle.zip')
  const download = page.waitForEvent('download')
  await person.click(page.getByRole('button', { name: 'Download' }))
  await (await download).saveAs(path)
  await person.typeElsewhere('vitrine verify photos.bundle.zip', {
    run: async () => {
      const verified = await promisify(execFile)(process.execPath, [vitrine, 'verify', path])
      if (!verified.stdout.includes('4 items')) throw new Error(verified.stdout)
    },
  })
})

await timeTask('Load a snapshot in a notebook', { page, url }, async (person) => {
  await person.click(page.getByRole('link', { name: 'photos', exact: true }))
  await person.click(page.getByRole('link', { name: 'About' }))
  const links = page.getByRole('region', { name: 'Links' })
  await person.click(links.getByText('Create a link'))
  await person.click(links.getByRole('textbox', { name: 'Name' }))
  await person.type('notebook')
  await person.choose(links.getByLabel('Shows'), 'state')
  await person.click(links.getByRole('button', { name: 'Create link' }))
  const shown = links.getByRole('region', { name: 'New link' })
  await person.choose(shown.getByLabel('Address of'), 'Parquet, read in parts')
  await person.click(shown.getByRole('button', { name: 'Copy the address' }))
  const address = await copied()
  await person.typeElsewhere('import polars as pl; pl.scan_parquet("").collect()', {
    pasting: true,
    run: async () => {
      const program = 'import polars as pl, sys; print(len(pl.scan_parquet(sys.argv[1]).collect()))'
      const loaded = await promisify(execFile)(python, ['-c', program, address])
      if (loaded.stdout !== '4\n') throw new Error(`Polars has ${loaded.stdout}`)
    },
  })
})
