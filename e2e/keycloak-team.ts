import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, expect, test } from '@playwright/test'

/** The steps of docs/team.md, whose commands are run as they stand there. */

const root = join(import.meta.dirname, '..')
const port = process.env['VITRINE_PORT']!
const url = `http://localhost:${port}`
const text = readFileSync(join(root, 'docs', 'team.md'), 'utf8')
  .replaceAll('https://keycloak.example', process.env['KEYCLOAK_URL']!)
  .replaceAll('https://vitrine.example', url)
  .replaceAll('VITRINE_PORT=8080', `VITRINE_PORT=${port}`)

/** Commands of each step, in order; some have none. */
const steps = text
  .split(/^## \d+\. /m)
  .slice(1)
  .map((step) =>
    [...step.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands!).join(''),
  )
const [addresses = '', ...others] = steps

/** Makes the realm anew, in place of the second step: other tests have changed the one that Keycloak started with. */
const freshRealm = `
kcadm.sh config credentials --server "$KEYCLOAK" --realm master --user admin
kcadm.sh delete realms/vitrine
kcadm.sh create realms -f realm.json
`

let folder: string
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-team-'))
  mkdirSync(join(folder, 'bin'))
  const realm = readFileSync(join(root, 'docs', 'keycloak', 'vitrine-realm.json'), 'utf8')
  const imported = realm.replace(/\$\{VITRINE_PUBLIC_URL:[^}]*\}/, url)
  writeFileSync(join(folder, 'realm.json'), imported)
  const vitrine = join(folder, 'bin', 'vitrine')
  const main = join(root, 'packages', 'cli', 'src', 'main.ts')
  writeFileSync(vitrine, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(vitrine, 0o755)
})
test.afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the commands of a step at somebody's computer, and signs them in where one of them asks for it. */
async function run(commands: string, { page, who }: { page: Page; who: string }): Promise<string> {
  const home = join(folder, who)
  mkdirSync(home, { recursive: true })
  const child = spawn('bash', ['-euo', 'pipefail', '-c', addresses + commands], {
    cwd: folder,
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: home,
      KC_CLI_PASSWORD: process.env['KEYCLOAK_ADMIN_PASSWORD'],
      PATH: [join(folder, 'bin'), process.env['KEYCLOAK_BIN'], process.env['PATH']].join(':'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const asked = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (words: string) => {
        output += words
        const [address] = /http:\S+user_code=\S+(?=\s)/.exec(output) ?? []
        if (address !== undefined) resolve(address)
      })
    }
  })
  if (commands.includes('vitrine login')) {
    await signIn(page, { address: await Promise.race([asked, ended.then(() => output)]), who })
  }
  expect(await ended, output).toBe(0)
  return output
}

/** Confirms the sign-in of a command, with a new password in place of the temporary one. */
async function signIn(page: Page, { address, who }: { address: string; who: string }) {
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Username' }).fill(who)
  await page.getByRole('textbox', { name: 'Password' }).fill('only for the first time')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('textbox', { name: 'New Password' }).fill('correct horse battery')
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Device Login Successful')).toBeVisible()
}

test('ten steps lead from nothing to a team with groups', async ({ page, browser }) => {
  expect(steps).toHaveLength(10)
  const [realm = '', groups = '', people = '', variables = '', start = '', first = '', ...rest] =
    others
  expect(realm).toBe('')
  await run(freshRealm, { page, who: 'admin' })
  for (const commands of [groups, people, variables]) await run(commands, { page, who: 'admin' })
  const server = spawnServer(start)
  try {
    await run(start.replace('vitrine serve &\n', ''), { page, who: 'admin' })
    const [dataset = '', colleague = '', record = ''] = rest
    expect(await run(first, { page, who: 'ada' })).toContain('You are an administrator of it.')
    const roles = await run(dataset, { page, who: 'ada' })
    expect(roles).toMatch(/group staff\tcontributor\t/)
    const other = await (await browser.newContext()).newPage()
    const seen = await run(colleague, { page: other, who: 'grace' })
    expect(seen).toContain(
      'On photos you are contributor by the group staff; it is owned by Ada Lovelace.',
    )
    expect(seen).toMatch(/^1,.*Cape\r?\n2,.*Harbour\r?$/m)
    await other.context().close()
    const variablesOf = 'set -a && . ./team.env && set +a\n'
    expect(await run(variablesOf + record, { page, who: 'ada' })).toMatch(/\n\d+:[0-9a-f]{64}\n/)
  } finally {
    await server.stop()
  }
})

/** Starts the server of the sixth step, which its shell would leave behind. */
function spawnServer(start: string) {
  expect(start).toContain('vitrine serve &\n')
  const commands = `set -a && . ./team.env && exec vitrine serve`
  const child = spawn('bash', ['-c', commands], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
