import type { AuditEntry } from '@vitrine/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, removeAccount } from '../../server/src/access/provider/accounts.ts'
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

test('the name of somebody who is gone is erased, once it is confirmed', async () => {
  const password = 'a long password of nobody'
  await here.database.use(async (store) => {
    await addAccount(store, { username: 'bea', password })
    await removeAccount(store, 'bea')
  })
  const [removed] = await here.json<AuditEntry>(['audit', '--what', 'account-removed'])
  const subject = removed!.details!['subject'] as string
  expect(await here.run(['audit', 'erase', subject])).toMatchObject({ code: 2, stdout: '' })
  expect(await here.run(['audit', 'erase', subject, '--yes'])).toMatchObject({
    code: 0,
    stdout: `${subject} is shown without a name. Entries of the audit log that had it: 2.\n`,
  })
  expect((await here.run(['audit', '--format', 'ndjson'])).stdout).not.toContain('"bea"')
  expect((await here.run(['audit', '--verify'])).code).toBe(0)
  expect(await here.run(['audit', 'erase', subject, '--yes'])).toMatchObject({ code: 4 })
})

test('the chain is checked here, and against an entry that was seen before', async () => {
  const { stdout, stderr, code } = await here.run(['audit', '--verify'])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      new RegExp(
        [
          /^\d+ entries follow from the first one on\.$/,
          /^The first \d+ are those that are signed\.$/,
          /^Signed by localhost:\d+\/api\/audit\.[0-9a-f]{10}\/log\.$/,
          /^The log goes on from the state with \d+ entries that was verified before\.$/,
          /^It has no checkpoint of a repository that is there\.$/,
        ]
          .map(({ source }) => source.slice(1, -1))
          .join('\n') + '\n$',
      ),
    ),
  })
  const known = stdout.trim()
  expect(known).toMatch(/^\d+:[0-9a-f]{64}$/)
  const more = here.write('more.yaml', 'name: more\nschema:\n  - { name: word, type: string }\n')
  expect((await here.run(['create', '-f', more])).code).toBe(0)
  const again = (entry: string) => here.run(['audit', '--verify', '--known', entry])
  expect((await again(known)).code).toBe(0)
  const other = await again(known.replace(/:.*/, `:${'0'.repeat(64)}`))
  expect(other).toMatchObject({ code: 8, stdout: '' })
  expect(other.stderr).toContain('is not the one that was seen before')
  expect((await again(`999:${'0'.repeat(64)}`)).stderr).toContain('the log ends with entry')
  expect((await again('999')).code).toBe(2)
  expect((await here.run(['audit', '--known', known])).code).toBe(2)

  await here.database.use((store) =>
    store.write((transaction) =>
      sql`update audit_log set entry = replace(entry, '"words"', '"wards"') where number = 2`.execute(
        transaction,
      ),
    ),
  )
  const altered = await here.run(['audit', '--verify'])
  expect(altered).toMatchObject({ code: 8, stdout: '' })
  expect(altered.stderr).toContain('entry 2 is not what was written')
})
