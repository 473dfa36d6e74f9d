import type { CreatedLink, LinkInfo } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const file = here.write('cats.yaml', 'name: cats\nschema:\n  - { name: name, type: string }\n')
  await here.run(['create', '-f', file])
  for (const name of ['Tom', 'Kit']) await here.run(['add', 'cats', `name=${name}`])
})
afterAll(() => here.close())

const create = (...words: string[]) => here.run(['link', 'create', ...words])

test('the address of a link is printed by itself, and opens what it says without a sign-in', async () => {
  const made = await create('cats@1', '--name', 'review')
  expect(made.code).toBe(0)
  expect(made.stdout).toMatch(/\/export\?format=csv&at=1&link=vtl_[0-9A-Za-z]{49}\n$/)
  expect(made.stderr).toMatch(/^Keep it now: .* until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/)
  expect(await (await fetch(made.stdout.trim())).text()).toMatch(/^id,[^\n]*\n1,[^\n]*Tom[^\n]*\n$/)
  const now = await create('cats', '--name', 'partner', '--format', 'ndjson', '--expires', '12h')
  const lines = (await (await fetch(now.stdout.trim())).text()).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['Tom', 'Kit'])
  const parquet = await create('cats@2', '--name', 'notebook', '--format', 'snapshot')
  const ranged = await fetch(parquet.stdout.trim(), { headers: { range: 'bytes=0-3' } })
  expect([ranged.status, await ranged.text()]).toEqual([206, 'PAR1'])
  const words = ['link', 'create', 'cats', '--name', 'json']
  const [{ link, url }] = (await here.json<CreatedLink & { url: string }>(words)) as [
    CreatedLink & { url: string },
  ]
  expect(url.endsWith(`/api/dataset/cats/export?format=csv&link=${link}`)).toBe(true)
})

test('links are listed with their last use, and revoked by number or name', async () => {
  const urls = [await create('cats', '--name', 'twice'), await create('cats@1', '--name', 'twice')]
  const [second, first] = await here.json<LinkInfo>(['link', 'list', 'cats'])
  expect([first!.at, second!.at]).toEqual([null, 1])
  const { stdout } = await here.run(['link', 'list', 'cats'])
  expect(stdout).toMatch(new RegExp(`^${second!.id}\ttwice\t1\t\\S+\t[^\t]+\t[^\t]+\tnever$`, 'm'))
  expect(stdout).not.toContain('vtl_')
  expect(await here.run(['link', 'revoke', 'cats', 'twice'])).toMatchObject({
    code: 5,
    stderr: `Several links are named twice: give the number of one, of ${second!.id}, ${first!.id}.\n`,
  })
  expect((await here.run(['link', 'revoke', 'cats', String(first!.id)])).stdout).toBe(
    `Revoked twice, number ${first!.id}.\n`,
  )
  const statuses = await Promise.all(
    urls.map(async (made) => (await fetch(made.stdout.trim())).status),
  )
  expect(statuses).toEqual([403, 200])
  expect((await here.run(['link', 'revoke', 'cats', 'twice'])).code).toBe(0)
  expect(await here.run(['link', 'revoke', 'cats', 'twice'])).toMatchObject({
    code: 4,
    stderr: 'There is no link twice to cats. `vitrine link list cats` lists them.\n',
  })
})

test.for([
  [['cats'], 2, 'Missing --name <name>.'],
  [['cats', '--name', 'x', '--expires', 'soon'], 2, '--expires is a number of hours or days'],
  [['cats', '--name', 'x', '--format', 'pdf'], 2, '--format is one of '],
  [['cats', '--name', 'x', '--format', 'snapshot'], 2, 'A snapshot is of one state'],
  [['cats', '--name', 'x', '--expires', '31d'], 6, 'must be 1 to 720 whole hours'],
  [['cats@9', '--name', 'x'], 4, 'repository has fewer items'],
  [['dogs', '--name', 'x'], 4, 'Dataset not found.'],
] as const)('link create refuses what no link can be made of: %j', async ([words, code, line]) => {
  const made = await create(...words)
  expect(made.code).toBe(code)
  expect(made.stderr).toContain(line)
})

test('a server that has none says so', async () => {
  const off = await openInstallation({ VITRINE_LINKS: 'off' })
  try {
    await off.login()
    const { code, stderr } = await off.run(['link', 'list', 'cats'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${off.url} has no signed links.\n` })
  } finally {
    await off.close()
  }
})
