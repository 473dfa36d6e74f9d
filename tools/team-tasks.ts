import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { addItem } from '@vitrine/client'
import { build } from './build.mjs'
import { launchServer } from '../e2e/launch-server.ts'
import { signInAsNew } from '../e2e/new-account.ts'
import { clientOf, signIn } from '../e2e/sign-in.ts'
import { findChromium } from './chromium.mjs'
import { Person } from './person.ts'
import { ensurePythonEnvironment } from './python-environment.ts'
import { root } from './root.mjs'

// `npm run team-tasks`: what people of a team want of each other, done in browsers, with the steps that it takes and
// the seconds that a person would need (docs/tasks.md).

const python = ensurePythonEnvironment()
build()
await using opened = new AsyncDisposableStack()
const server = await launchServer({ VITRINE_EVERYONE: 'none' })
opened.defer(server.remove)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
opened.defer(() => browser.close())
/** Signed in as `admin`, who owns the dataset `photos`. */
const owner = await newPage()
/** Signed in as `grace`, who may read nothing yet. */
const colleague = await newPage()
await signIn(owner, server.url)
const client = await clientOf(owner)
await client.repoCreate({ body: { name: 'photos', schema: [{ name: 'title', type: 'string' }] } })
for (const title of ['Mill', 'Bridge']) await addItem(client, 'photos', { title })
await signInAsNew(colleague, server, 'grace')

await time('Give a colleague read access to a dataset', owner, async (person, page) => {
  await person.click(page.getByRole('link', { name: 'photos', exact: true }))
  await person.click(page.getByRole('link', { name: 'About' }))
  await person.click(page.getByRole('combobox', { name: 'Person or group' }))
  await person.type('grace')
  await person.click(page.getByRole('option', { name: 'grace' }))
  await person.click(page.getByRole('button', { name: 'Give role' }))
  await person.read(page.getByLabel('Role of grace', { exact: true }))
})

await time('Why may I not import here, and who can help?', colleague, async (person, page) => {
  await person.click(page.getByRole('link', { name: 'photos', exact: true }))
  await person.click(page.getByRole('link', { name: 'About' }))
  await person.read(page.getByText('reader, given to you'))
  await person.read(page.getByRole('row', { name: /admin owner created it/ }))
})

await time('Make a token, and load the dataset into pandas', colleague, async (person, page) => {
  await person.click(page.getByRole('link', { name: 'Account' }))
  await person.click(page.getByRole('link', { name: 'Create and revoke access tokens' }))
  await person.click(page.getByRole('textbox', { name: 'Name' }))
  await person.type('notebook')
  await person.click(page.getByRole('button', { name: 'Create token' }))
  const shown = page.getByRole('region', { name: 'New token' })
  const copy = shown.getByRole('button', { name: 'Copy' })
  await person.click(copy.first())
  const token = await shown.getByRole('region', { name: 'Token', exact: true }).innerText()
  await person.typeElsewhere('export VITRINE_TOKEN=', { pasting: true })
  await person.click(copy.last())
  const example = await shown.getByRole('region', { name: 'Example' }).innerText()
  await person.typeElsewhere('python', { pasting: true })
  const [, program] = example.split('# In Python, a dataset named NAME:\n')
  await person.typeElsewhere('photos', {
    run: async () => {
      const loaded = await promisify(execFile)(
        python,
        ['-c', `${program!.replace('NAME', 'photos')}\nprint(len(items))`],
        { env: { VITRINE_TOKEN: token.trim() } },
      )
      if (loaded.stdout !== '2\n') throw new Error(`pandas has ${loaded.stdout}`)
    },
  })
  await person.click(page.getByRole('button', { name: 'Done' }))
})

await time('Revoke the token', colleague, async (person, page) => {
  await person.click(page.getByRole('link', { name: 'Account' }))
  await person.click(page.getByRole('link', { name: 'Create and revoke access tokens' }))
  await person.click(page.getByRole('button', { name: 'Revoke notebook' }))
  await person.click(page.getByRole('button', { name: 'Revoke token' }))
  await person.read(page.getByText('You have no access tokens yet.'))
})

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  return page
}

async function time(
  name: string,
  page: Page,
  run: (person: Person, page: Page) => Promise<void>,
): Promise<void> {
  await page.goto(`${server.url}/dataset/`)
  await page.waitForLoadState('networkidle')
  const person = new Person(page)
  await run(person, page).catch(async (error: unknown) => {
    await page.screenshot({ path: join(root, 'test-results', 'team-tasks.png') })
    throw error
  })
  console.log(`${name}\t${person.steps} steps\t${person.seconds.toFixed(0)} s`)
}
