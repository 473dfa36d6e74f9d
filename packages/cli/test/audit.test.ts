import type { AuditEntry } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const file = here.write('words.yaml', 'name: words\nschema:\n  - { name: word, type: string }\n')
  await here.run(['create', '-f', file])
  await here.run(['rm', 'words', '--yes'])
})
afterAll(() => here.close())

test('an administrator lists what was done, filters it and exports it', async () => {
  const { stdout } = await here.run(['audit', '--dataset', 'words'])
  const [deleted, created] = stdout.split('\n').map((line) => line.split('\t'))
  expect([deleted?.slice(2), created?.slice(2)]).toEqual([
    ['admin', 'dataset-deleted', 'words', ''],
    ['admin', 'dataset-created', 'words', ''],
  ])
  const entries = await here.json<AuditEntry>(['audit', '--who', 'admin', '--limit', '1'])
  expect(entries.map(({ what }) => what)).toEqual(['dataset-deleted'])
  expect((await here.run(['audit', '--until', '2020-01-01'])).stdout).toBe('')
  const exported = (await here.run(['audit', '--format', 'ndjson'])).stdout
  const numbers = exported
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as AuditEntry).number)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect((await here.run(['audit', '--since', 'yesterday'])).code).not.toBe(0)
  expect((await here.run(['audit', '--format', 'csv'])).code).toBe(2)
})
