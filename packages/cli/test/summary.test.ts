import type { DatasetSummary } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const schema = [
    'name: cats',
    'schema:',
    '  - { name: name, type: string, length: 20 }',
    '  - { name: weight, type: number, optional: true }',
  ]
  await here.run(['create', '-f', here.write('cats.yaml', `${schema.join('\n')}\n`)])
  await here.run(['add', 'cats', 'name=Tom', 'weight=4.5'])
  await here.run(['add', 'cats', 'name=Tom', 'weight=3'])
  await here.run(['add', 'cats', 'name=Felix'])
})
afterAll(() => here.close())

test('a summary is a line for each field', async () => {
  expect(await here.run(['summary', 'cats'])).toEqual({
    code: 0,
    stdout:
      'name\tstring\t3\t0\t2\tFelix\tTom\t\tTom (2), Felix (1)\n' +
      'weight\tnumber\t2\t1\t2\t3\t4.5\t3.75\t3 (1), 4.5 (1)\n',
    stderr: '',
  })
})

test('a summary is of what passes, and has all of it as JSON', async () => {
  const words = ['summary', 'cats', '--where', 'weight: { gt: 4 }']
  const [found] = await here.json<DatasetSummary>(words)
  expect(found).toMatchObject({ items: 1, exact: true })
  expect(found!.fields[1]).toMatchObject({ histogram: [{ count: 1 }] })
})

test('summary of an unknown dataset exits with 4, and an invalid --where with 2', async () => {
  expect(await here.run(['summary', 'dogs'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Dataset not found'),
  })
  expect(await here.run(['summary', 'cats', '--where', 'x'])).toMatchObject({ code: 2 })
})
