import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, startServer } from '@vitrine/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Outcome } from './spawn-vitrine.ts'
import { vitrine } from './vitrine.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const user = (words: string, stdin = ''): Promise<Outcome> =>
  vitrine(['user', ...words.split(' ')], { env: { VITRINE_DATA_DIR: dataDir }, stdin })

const listed = async () => {
  const { stdout } = await user('list --json')
  const lines = stdout.split('\n').filter(Boolean)
  return lines.map((line) => (JSON.parse(line) as { username: string }).username)
}

test('accounts are added, listed, changed and removed before the first start', async () => {
  expect((await user('list')).stdout).toContain('There are no accounts yet')
  const added = await user('add Alice --password-stdin', 'one good password\n')
  expect(added).toEqual({ code: 0, stdout: 'Added alice.\n', stderr: '' })
  expect(await listed()).toEqual(['alice'])
  expect((await user('passwd alice --password-stdin', 'another password')).code).toBe(0)
  expect((await user('remove alice')).code).toBe(0)
  expect(await listed()).toEqual([])
})

test('a password is made up where that is asked for, and said once', async () => {
  const told =
    /The password is ([a-z2-9]{5}(?:-[a-z2-9]{5}){3}) until the first sign-in, which asks/
  const added = await user('add alice --generate')
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const [, first] = told.exec(added.stdout) ?? []
  const [, second] = told.exec((await user('passwd alice --generate')).stdout) ?? []
  expect(second).toMatch(/-/)
  expect(second).not.toBe(first)
  expect((await user('add bob --generate --password-stdin', 'one good password')).code).toBe(2)
})

test('a user command that fails says why and exits with 1', async () => {
  await user('add alice --password-stdin', 'one good password')
  const cases: [string, string, string][] = [
    ['add alice --password-stdin', 'one good password', 'There is an account alice already.'],
    ['add ../x --password-stdin', 'one good password', 'A username has up to 64 characters'],
    ['add bob --password-stdin', 'short', 'A password has at least 8 characters.'],
    ['passwd bob --password-stdin', 'one good password', 'There is no account bob.'],
    ['remove bob', '', 'There is no account bob.'],
  ]
  for (const [words, stdin, sentence] of cases) {
    const { code, stderr } = await user(words, stdin)
    expect(stderr).toContain(sentence)
    expect(code).toBe(1)
  }
  expect(await listed()).toEqual(['alice'])
})

test('a command that is not understood ends with 2 and says how it is written', async () => {
  for (const words of ['frob', 'add', 'add a b', 'list --frob', 'add alice', 'toString']) {
    const { code, stderr } = await user(words)
    expect(code, words).toBe(2)
    expect(stderr).toContain('vitrine user')
  }
  expect((await vitrine(['toString'])).code).toBe(2)
})

test('help is no error', async () => {
  for (const words of [['help'], ['--help'], ['user', '--help'], ['user', 'add', '--help']]) {
    const { code, stdout, stderr } = await vitrine(words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Usage: vitrine')
  }
})

test('every command has examples', async () => {
  const { stdout } = await vitrine(['--help'])
  const names = [...stdout.matchAll(/^  ([a-z]+(?: [a-z]+)?) {2,}[A-Z]/gm)].map(
    ([, name = '']) => name,
  )
  expect(names).toContain('user list')
  for (const name of names) {
    const help = await vitrine([...name.split(' '), '--help'])
    expect(help.stdout, name).toContain(`\nExamples:\n  vitrine ${name}`)
  }
})

test('user without a known subcommand lists the user commands', async () => {
  for (const words of [['user'], ['user', 'frob']]) {
    const { code, stderr } = await vitrine(words)
    expect(code).toBe(2)
    expect(stderr).toContain(`There is no command ${words.join(' ')}.`)
    expect(stderr).toContain('user remove')
    expect(stderr).not.toContain('import')
  }
})

test("a data folder that is made here is nobody else's to read", async () => {
  const fresh = join(dataDir, 'fresh')
  await vitrine(['user', 'list'], { env: { VITRINE_DATA_DIR: fresh } })
  expect(statSync(fresh).mode & 0o777).toBe(0o700)
})

test('another provider keeps its own accounts', async () => {
  const { code, stderr } = await vitrine(['user', 'list'], {
    env: { VITRINE_DATA_DIR: dataDir, VITRINE_OIDC_AUTHORITY: 'https://id.example.org/realms/x' },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('https://id.example.org/realms/x')
})

test('the first start adds admin, with a password that is told once, unless there is an account', async () => {
  const env = { VITRINE_DATA_DIR: dataDir, VITRINE_PORT: '0', VITRINE_LOG_LEVEL: 'silent' }
  const start = () => startServer(readConfig(env))
  const first = await start()
  expect(first.firstAccount?.username).toBe('admin')
  expect(first.firstAccount?.password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
  // While the server runs.
  expect((await user('add bob --password-stdin', 'one good password')).code).toBe(0)
  expect(await listed()).toEqual(['admin', 'bob'])
  await first.close()

  const second = await start()
  expect(second.firstAccount).toBeUndefined()
  await second.close()
})
