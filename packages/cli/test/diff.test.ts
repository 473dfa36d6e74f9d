import type { DatasetDiff, ItemChange } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

const schema = ['name: cats', 'schema:', '  - { name: name, type: string, length: 20 }']

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  await here.run(['create', '-f', here.write('cats.yaml', schema.join('\n'))])
  const shortest = 'name: shortest\nbase: cats\norder: name\nlimit: 1\n'
  await here.run(['create', '-f', here.write('shortest.yaml', shortest)])
  await here.run(['add', 'cats', 'name=Tom'])
  await here.run(['add', 'cats', 'name=Felix'])
  await here.run(['add', 'cats', 'name=Garfield'])
  const extended = [...schema, '  - { name: weight, type: number, optional: true }']
  await here.run(['extend', '-f', here.write('cats.yaml', extended.join('\n'))])
})
afterAll(() => here.close())

test('a line for each item of one state alone, and a summary beside them', async () => {
  const { code, stdout, stderr } = await here.run(['diff', 'cats@1'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'added\t2\tFelix\t\nadded\t3\tGarfield\t\n' })
  expect(stderr).toMatch(/^cats@1 to cats@3: 2 items added, 0 items removed\nextended .*weight/)
  expect(await here.run(['diff', 'shortest@1', 'shortest@2'])).toEqual({
    code: 0,
    stdout: 'removed\t1\tTom\t\nadded\t2\tFelix\t\n',
    stderr: 'shortest@1 to shortest@2: 1 item added, 1 item removed\n',
  })
  expect(await here.run(['diff', 'cats@3', 'cats@3', '--summary'])).toMatchObject({
    stdout: expect.stringContaining('cats@3 to cats@3: 0 items added, 0 items removed\n'),
    stderr: '',
  })
})

test('as JSON', async () => {
  const changes = await here.json<ItemChange>(['diff', 'cats@2'])
  expect(changes).toEqual([{ change: 'added', item: { id: 3, data: { name: 'Garfield' } } }])
  const [summary] = await here.json<DatasetDiff>(['diff', 'cats@1', '--summary'])
  expect(summary).toMatchObject({ added: 2, removed: 0, to: { at: 3, repo: 'cats' } })
  expect(summary).not.toHaveProperty('changes')
})

test('states that cannot be compared', async () => {
  expect(await here.run(['diff', 'cats'])).toMatchObject({ code: 2 })
  expect(await here.run(['diff', 'cats@2', 'shortest'])).toMatchObject({ code: 2 })
  expect(await here.run(['diff', 'cats@2', 'cats@1'])).toMatchObject({ code: 2 })
  expect(await here.run(['diff', 'cats@4'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('repository has fewer items'),
  })
})
