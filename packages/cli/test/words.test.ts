import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/demo/connect.ts'
import { type Installation, openInstallation } from './installation.ts'
import { createIo, vitrine } from './vitrine.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const schema = '  - { name: name, type: string, length: 20 }\n'
  const file = here.write('cats.yaml', `name: cats\nschema:\n${schema}`)
  await here.run(['create', '-f', file])
  for (const name of ['Tom', 'Tim', 'Felix']) await here.run(['add', 'cats', `name=${name}`])
})
afterAll(() => here.close())

test.for([
  [['show'], 'Missing <dataset>. `vitrine show --help` shows its usage.'],
  [['import', 'cats'], 'Missing <file>. `vitrine import --help` shows its usage.'],
  [['add'], 'Missing <repository>. `vitrine add --help` shows its usage.'],
  [['copy', '--from', 'x'], 'Missing --to-database. `vitrine copy --help` shows its usage.'],
  [['token', 'x'], 'x is one argument too many. `vitrine token --help` shows its usage.'],
  [
    ['ls', '--limt', '3'],
    'There is no option --limt. Did you mean --limit? `vitrine ls --help` shows its usage.',
  ],
  [
    ['improt', 'x'],
    'There is no command improt. Did you mean `vitrine import`? `vitrine --help` lists all commands.',
  ],
] as [string[], string][])('%j ends with 2 and one line', async ([words, line]) => {
  expect(await vitrine(words)).toEqual({ code: 2, stdout: '', stderr: `${line}\n` })
})

test('one of several commands is guessed', async () => {
  const { code, stderr } = await vitrine(['user', 'ad'])
  expect(stderr).toContain('There is no command user ad. Did you mean `vitrine user add`?')
  expect(code).toBe(2)
})

test('the demo acts as the account that is signed in to the server', async () => {
  // Nothing here says where the server keeps its data.
  const io = createIo({ env: { XDG_CONFIG_HOME: here.config } })
  const opened = await connect({ io, server: here.url, username: undefined, token: undefined })
  expect(await opened.client.datasetList({})).toMatchObject([{ name: 'cats' }])
})

test('the version is told, and help for one command in two ways', async () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  expect(await vitrine(['--version'])).toMatchObject({ code: 0, stdout: `vitrine ${version}\n` })
  const help = await vitrine(['import', '--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(await vitrine(['help', 'import'])).toEqual(help)
  expect(await vitrine(['help', 'user'])).toEqual(await vitrine(['user', '--help']))
})

test('a file that is missing is told in words, with one exit code', async () => {
  const commands = [
    ['import', 'cats', 'none.csv'],
    ['create', '-f', 'none.yaml'],
    ['verify', '--file', 'none.ndjson'],
    ['verify', '--file', 'none.zip'],
  ]
  for (const words of commands) {
    const { code, stderr } = await here.run(words)
    expect(stderr).toBe(`${words.at(-1)} cannot be read: there is no such file.\n`)
    expect(code).toBe(6)
  }
})

test('items are listed by a condition and in an order', async () => {
  const words = ['ls', 'cats', '--where', 'name: { starts_with: T }', '--order=-name']
  expect((await here.run(words)).stdout).toBe('1\tTom\n2\tTim\n')
  const json = ['ls', 'cats', '--where', '{"name":{"eq":"Felix"}}']
  expect((await here.run(json)).stdout).toBe('3\tFelix\n')
  expect(await here.run(['ls', '--order', 'name'])).toMatchObject({ code: 2, stdout: '' })
  expect(await here.run(['ls', 'cats', '--where', 'name'])).toMatchObject({ code: 2, stdout: '' })
})

test('somebody is told who they are', async () => {
  const { stdout, code } = await here.run(['whoami'])
  expect(stdout).toBe(
    `Signed in to ${here.url} as admin, of ${here.url}/realms/local.\nYou are an administrator of it.\n`,
  )
  expect(code).toBe(0)
  const other = here.openComputer()
  expect(await other.run(['whoami'])).toMatchObject({ code: 3, stdout: '' })
})

test('shell completion offers the commands and options of the command table', async () => {
  const { stdout } = await vitrine(['completion', 'bash'])
  const script = here.write('completion.bash', stdout)
  const complete = (...words: string[]) =>
    execFileSync('bash', [
      '-c',
      'source "$1"; shift; COMP_WORDS=(vitrine "$@"); COMP_CWORD=$#; _vitrine; echo "${COMPREPLY[@]}"',
      'bash',
      script,
      ...words,
    ])
      .toString()
      .trim()
  expect(complete('whoa')).toBe('whoami')
  expect(complete('user', 'l')).toBe('list')
  expect(complete('ls', 'cats', '--wh')).toBe('--where')
  expect(complete('user', 'add', '--pass')).toBe('--password-stdin')
  for (const shell of ['zsh', 'fish']) {
    expect((await vitrine(['completion', shell])).stdout).toContain('whoami')
  }
  expect(await vitrine(['completion', 'cmd'])).toMatchObject({ code: 2 })
})
