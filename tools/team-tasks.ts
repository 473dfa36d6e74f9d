import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { addItem } from '@vitrine/client'
import { build } from './build.mjs'
import { launchServer } from '../e2e/launch-server.ts'
import { signInAsNew } from '../e2e/new-account.ts'
import { clientOf, signIn } from '../e2e/sign-in.ts'
import { findChromium } from './chromium.mjs'
import { openPage, timeTask } from './person.ts'
import { ensurePythonEnvironment } from './python-environment.ts'

// `npm run team-tasks`: what people of a team want of each other, done in browsers, with the steps that it takes and
// the seconds that a person would need (docs/tasks.md).

const python = ensurePythonEnvironment()
build()
await using opened = new AsyncDisposableStack()
const server = await launchServer({ VITRINE_EVERYONE: 'none' })
opened.defer(server.remove)
const { url } = server
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
opened.defer(() => browser.close())
/** Signed in as `admin`, who owns the dataset `photos`. */
const owner = await openPage(browser)
/** Signed in as `grace`, who may read nothing yet. */
const colleague = await openPage(browser)
await signIn(owner, url)
const client = await clientOf(owner)
await client.repoCreate({ body: { name: 'photos', schema: [{ name: 'title', type: 'string' }] } })
for (const title of ['Mill', 'Bridge']) await addItem(client, 'photos', { title })
await signInAsNew(colleague, server, 'grace')

await timeTask(
  'Give a colleague read access to a dataset',
  { page: owner, url },
  async (person, page) => {
    await person.click(page.getByRole('link', { name: 'photos', exact: true }))
    await person.click(page.getByRole('link', { name: 'About' }))
    await person.click(page.getByRole('combobox', { name: 'Person or group' }))
    await person.type('grace')
    await person.click(page.getByRole('option', { name: 'grace' }))
    await person.click(page.getByRole('button', { name: 'Give role' }))
    await person.read(page.getByLabel('Role of grace', { exact: true }))
  },
)

await timeTask(
  'Why may I not import here, and who can help?',
  { page: colleague, url },
  async (person, page) => {
    await person.click(page.getByRole('link', { name: 'photos', exact: true }))
    await person.click(page.getByRole('link', { name: 'About' }))
    await person.read(page.getByText('reader, given to you'))
    await person.read(page.getByRole('row', { name: /admin owner created it/ }))
  },
)

await timeTask(
  'Make a token, and load the dataset into pandas',
  { page: colleague, url },
  async (person, page) => {
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
  },
)

await timeTask('Revoke the token', { page: colleague, url }, async (person, page) => {
  await person.click(page.getByRole('link', { name: 'Account' }))
  await person.click(page.getByRole('link', { name: 'Create and revoke access tokens' }))
  await person.click(page.getByRole('button', { name: 'Revoke notebook' }))
  await person.click(page.getByRole('button', { name: 'Revoke token' }))
  await person.read(page.getByText('You have no access tokens yet.'))
})
