import type { DeletedDataset } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
})
afterAll(() => here.close())

async function create(name: string, description = '') {
  const text = `name: ${name}\n${description}schema:\n  - { name: word, type: string }\n`
  expect((await here.run(['create', '-f', here.write(`${name}.yaml`, text)])).code).toBe(0)
}
const list = () => here.json<DeletedDataset>(['deleted'])

test('a deleted dataset is listed, restored and purged', async () => {
  expect(await here.run(['deleted'])).toEqual({ code: 0, stdout: '', stderr: '' })
  await create('cats')
  await here.run(['rm', 'cats', '--yes'])
  const [cats] = await list()
  const { stdout } = await here.run(['deleted'])
  expect(stdout.trimEnd().split('\t')).toEqual([
    String(cats!.id),
    'cats',
    '0',
    'admin',
    cats!.deletedAt.slice(0, 16).replace('T', ' '),
    cats!.removedAt.slice(0, 10),
  ])
  expect(await here.run(['deleted', 'restore', 'cats'])).toMatchObject({
    code: 0,
    stdout: 'Took cats back.\n',
  })
  expect((await here.run(['show', 'cats'])).code).toBe(0)
  await here.run(['rm', 'cats', '--yes'])
  expect(await here.run(['deleted', 'purge', 'cats'])).toMatchObject({ code: 2 })
  expect(await here.run(['deleted', 'purge', 'cats', '--yes'])).toMatchObject({
    code: 0,
    stdout: 'Removed cats for good.\n',
  })
  expect(await here.run(['deleted', 'restore', 'cats'])).toMatchObject({
    code: 4,
    stderr:
      'There is no deleted dataset cats that you may take back. `vitrine deleted` lists them.\n',
  })
})

test('a restore by an ambiguous name asks for the number, and one by a taken name for --as', async () => {
  await create('dogs')
  await here.run(['rm', 'dogs', '--yes'])
  await create('dogs', 'description: the second\n')
  await here.run(['rm', 'dogs', '--yes'])
  const [second, first] = await list()
  expect(await here.run(['deleted', 'restore', 'dogs'])).toMatchObject({
    code: 5,
    stderr: `Several deleted datasets had the name dogs: give the number of one, of ${second!.id}, ${first!.id}.\n`,
  })
  expect((await here.run(['deleted', 'restore', String(first!.id)])).code).toBe(0)
  expect(await here.run(['deleted', 'restore', 'dogs'])).toMatchObject({
    code: 5,
    stderr: 'Another dataset is named dogs by now: give another name with --as.\n',
  })
  expect(await here.run(['deleted', 'restore', 'dogs', '--as', 'more-dogs'])).toMatchObject({
    code: 0,
    stdout: 'Took more-dogs back.\n',
  })
})

test('a view is restored after its base, and the base is not purged while the view refers to it', async () => {
  await create('words')
  const view = here.write('few.yaml', 'name: few\nbase: words\nlimit: 1\n')
  await here.run(['create', '-f', view])
  await here.run(['rm', 'few', '--yes'])
  await here.run(['rm', 'words', '--yes'])
  expect(await here.run(['deleted', 'restore', 'few'])).toMatchObject({
    code: 5,
    stderr: 'It refers to words: take back those first.\n',
  })
  const refused = await here.run(['deleted', 'purge', 'words', '--yes'])
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain('It is referred to by few.')
  expect((await here.run(['deleted', 'restore', 'words'])).code).toBe(0)
  expect((await here.run(['deleted', 'restore', 'few'])).code).toBe(0)
})
