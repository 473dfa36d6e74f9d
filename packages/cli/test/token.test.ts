import type { CreatedToken, TokenInfo } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
})
afterAll(() => here.close())

const create = async (...words: string[]): Promise<CreatedToken> =>
  (await here.json<CreatedToken>(['token', 'create', ...words]))[0]!

/** On a computer where nobody has signed in. */
const elsewhere = (words: string[], token: string) =>
  here.openComputer().run(words, { env: { VITRINE_TOKEN: token } })

test('a token is printed once, by itself, and serves every command within its scope', async () => {
  const made = await here.run(['token', 'create', '--name', 'notebook', '--expires', '2d'])
  expect(made.code).toBe(0)
  expect(made.stdout).toMatch(/^vtr_[0-9A-Za-z]{49}\n$/)
  expect(made.stderr).toMatch(/^Keep it now: .* until \d{4}-\d\d-\d\d, for read\.\n$/)
  const token = made.stdout.trim()
  expect(await elsewhere(['ls'], token)).toEqual({ code: 0, stdout: '', stderr: '' })
  const file = here.write('cats.yaml', 'name: cats\nschema:\n  - { name: name, type: string }\n')
  const refused = await elsewhere(['create', '-f', file], token)
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain('The token lacks the scope of this call.')
  expect(refused.stderr).toContain('Use a token of a wider scope.')
  const manager = await create('--name', 'manager', '--scope', 'manage', '--expires', 'never')
  expect(manager.expiresAt).toBeNull()
  expect((await elsewhere(['create', '-f', file], manager.token)).code).toBe(0)
  const nested = await elsewhere(['token', 'create', '--name', 'x'], manager.token)
  expect(nested.code).toBe(3)
  expect(nested.stderr).toContain('`vitrine login`')
})

test('tokens are listed with their last use, and revoked by number or name', async () => {
  const first = await create('--name', 'twice')
  const second = await create('--name', 'twice', '--scope', 'add', '--expires', '30d')
  const { code } = await elsewhere(['ls'], second.token)
  expect(code).toBe(0)
  const find = async (id: number) =>
    (await here.json<TokenInfo>(['token', 'list'])).find((each) => each.id === id)
  await expect.poll(async () => (await find(second.id))?.usedAt).not.toBeNull()
  expect(await find(first.id)).toMatchObject({ name: 'twice', scope: 'read', usedAt: null })
  const { stdout } = await here.run(['token', 'list'])
  expect(stdout).toMatch(new RegExp(`^${first.id}\ttwice\tread\t\\S+\t\\S+\tnever\tall$`, 'm'))
  expect(stdout).not.toContain('vtr_')

  expect(await here.run(['token', 'revoke', 'twice'])).toMatchObject({
    code: 5,
    stderr: `Several tokens are named twice: give the number of one, of ${second.id}, ${first.id}.\n`,
  })
  expect(await here.run(['token', 'revoke', String(second.id)])).toMatchObject({
    code: 0,
    stdout: `Revoked twice, number ${second.id}.\n`,
  })
  const after = await elsewhere(['ls'], second.token)
  expect(after.code).toBe(3)
  expect((await here.run(['token', 'revoke', 'twice'])).code).toBe(0)
  expect(await here.run(['token', 'revoke', 'twice'])).toMatchObject({
    code: 4,
    stderr: 'You have no token twice. `vitrine token list` lists them.\n',
  })
})

test('a token for one dataset serves for that, and is listed with its name', async () => {
  for (const name of ['dogs', 'birds']) {
    const file = here.write(
      `${name}.yaml`,
      `name: ${name}\nschema:\n  - { name: name, type: string }\n`,
    )
    expect((await here.run(['create', '-f', file])).code).toBe(0)
  }
  const words = ['--name', 'paper', '--scope', 'manage', '--dataset', 'dogs']
  const made = await here.run(['token', 'create', ...words])
  expect(made.stderr).toMatch(/, for manage on dogs\.\n$/)
  const token = made.stdout.trim()
  expect((await elsewhere(['ls', 'dogs'], token)).code).toBe(0)
  expect((await elsewhere(['ls'], token)).stdout).toMatch(/^dogs\t.*\n$/)
  expect((await elsewhere(['ls', 'birds'], token)).code).toBe(4)
  const file = here.write('new.yaml', 'name: new\nschema:\n  - { name: name, type: string }\n')
  const refused = await elsewhere(['create', '-f', file], token)
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain('The token is for some datasets only.')
  expect((await here.run(['token', 'list'])).stdout).toMatch(/\tdogs$/m)
  expect((await here.run(['rm', 'dogs', '--yes'])).code).toBe(0)
  expect((await here.run(['token', 'list'])).stdout).toMatch(/\tdogs \(gone\)$/m)
  const unknown = await here.run(['token', 'create', '--name', 'x', '--dataset', 'fish'])
  expect(unknown).toMatchObject({ code: 6, stdout: '' })
  expect(unknown.stderr).toContain('there is no dataset of this name')
})

test.for([
  [[], 'Missing --name <name>.'],
  [['--name', 'x', '--scope', 'admin'], '--scope is one of deposit, read, add, manage.'],
  [['--name', 'x', '--expires', 'soon'], '--expires is a number of days such as 90d, a date'],
] as [string[], string][])('token create refuses invalid options: %j', async ([words, line]) => {
  const { code, stderr } = await here.run(['token', 'create', ...words])
  expect(code).toBe(2)
  expect(stderr).toContain(line)
})

test('a token for too long is refused by the server, with its bound', async () => {
  const { code, stderr } = await here.run(['token', 'create', '--name', 'x', '--expires', '999d'])
  expect(code).toBe(6)
  expect(stderr).toContain('at most 366 days from now')
})

test('the access token of the sign-in is printed as before', async () => {
  const { stdout } = await here.run(['token'])
  expect(stdout.split('.')).toHaveLength(3)
  const help = await here.run(['token', '--help'])
  expect(help.stdout).toContain('vitrine token create')
})

test('a server that takes none says so', async () => {
  const off = await openInstallation({ VITRINE_TOKENS: 'off' })
  try {
    await off.login()
    const { code, stderr } = await off.run(['token', 'list'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${off.url} takes no personal access tokens.\n`,
    })
  } finally {
    await off.close()
  }
})
