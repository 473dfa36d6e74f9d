import { readFileSync } from 'node:fs'
import type { ProvenItem } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation
let file: string

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const schema = 'schema:\n  - { name: name, type: string, length: 20 }\n'
  await here.run(['create', '-f', here.write('cats.yaml', `name: cats\n${schema}`)])
  await here.run(['create', '-f', here.write('dogs.yaml', `name: dogs\n${schema}`)])
  for (const name of ['Tom', 'Felix', 'Garfield']) await here.run(['add', 'cats', `name=${name}`])
  file = `${here.folder}/cats-2.tlog-proof`
  await here.run(['show', 'cats', '2', '--proof', '-o', file])
})
afterAll(() => here.close())

const keyOf = async (datasetId?: string) => {
  const client = here.client()
  const reply = datasetId === undefined ? client.logKey({}) : client.logVerifierKey({ datasetId })
  return (await (await reply).text()).trim()
}

test('the proof of an item is verified by the key of its log, or of the installation', async () => {
  const { createdAt } = await here.client().datasetItemGet({ datasetId: 'cats', itemId: 2 })
  for (const key of [await keyOf('cats'), await keyOf()]) {
    const { code, stdout } = await here.run(['verify', file, '--key', key])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(`: item 2, added ${createdAt} by `),
    })
    expect(stdout).toMatch(
      / is entry 2 of 3 of localhost:\d+\/api\/repo\/cats\.[0-9a-f]{10}\/log\.\n$/,
    )
  }
  const [verified] = await here.json<{ proof: ProvenItem }>([
    'verify',
    file,
    '--key',
    await keyOf(),
  ])
  expect(verified!.proof).toMatchObject({ entry: { id: 2, createdAt }, index: 1, size: 3 })
})

test('the proof of an item of a view, and at a state, is that of its repository', async () => {
  await here.run(['create', '-f', here.write('seen.yaml', 'name: seen\nbase: cats\n')])
  const { stdout } = await here.run(['show', 'seen@2', '2', '--proof'])
  const early = here.write('early.tlog-proof', stdout)
  expect((await here.run(['verify', early, '--key', await keyOf()])).stdout).toContain(
    'is entry 2 of 2 of localhost',
  )
})

test('an altered proof proves nothing, and says why', async () => {
  const text = readFileSync(file, 'utf8')
  const key = await keyOf('cats')
  const why = async (altered: string, by = key) => {
    const { code, stdout } = await here.run([
      'verify',
      here.write('altered.tlog-proof', altered),
      '--key',
      by,
    ])
    expect(code).toBe(8)
    expect(stdout).not.toContain('Verified')
    return stdout
  }
  const otherEntry = text.replace(/^extra (.*)$/m, (_, extra: string) => {
    const entry = Buffer.from(extra, 'base64').toString().replace('"id":2', '"id":1')
    return `extra ${Buffer.from(entry).toString('base64')}`
  })
  const isAbsent = 'the log does not have its entry'
  expect(await why(otherEntry)).toContain(isAbsent)
  expect(await why(text.replace('index 1', 'index 0'))).toContain(isAbsent)
  expect(await why(text.replace(/(index 1\n).*\n/, '$1'))).toContain(isAbsent)
  expect(await why(text.replace('\n3\n', '\n4\n'))).toContain('not signed by the key')
  expect(await why(text, await keyOf('dogs'))).toContain('that of another log')
  expect(await why('c2sp.org/tlog-proof@v1\n')).toContain('it is no proof of an item')
  expect(await why(text.replace(/^extra .*\n/m, ''))).toContain('it is no proof of an item')
  expect(await why(text, 'x')).toContain('x is no verifier key')
  expect(await here.run(['verify', file])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--key'),
  })
})
