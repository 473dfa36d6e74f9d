// @module-tag engines

import { type AuditVerified, type KnownLog, sha256, verifyAuditLog } from '@vitrine/client'
import { readAuditLog, readRepoLog } from '@vitrine/contract'
import { emptyRoot } from '@vitrine/transparency-log'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startRestoredServer, type RestoredServer } from './restored-server.ts'

let server: RestoredServer

beforeEach(async () => {
  server = await startRestoredServer()
})
afterEach(() => server.close())

const verify = (known?: KnownLog) =>
  verifyAuditLog(server.client, { sha256, isSigned: true, known })
const outcomes = ({ checks }: AuditVerified) =>
  checks.map(({ name, passed }) => `${name} ${String(passed)}`)

/** Lets the server sign a log anew, as whoever can write to its storage could. */
async function forget(generation: string): Promise<void> {
  const { checkpoints } = await server.blobs.open()
  const last = await checkpoints.find(generation)
  await checkpoints.replace(generation, last, { size: 0, root: emptyRoot })
}

test('of a server that signs no audit log the chain alone is verified', async () => {
  await server.act(2)
  const verified = await verifyAuditLog(server.client, { sha256, isSigned: false })
  expect(verified).toEqual({
    head: { number: 2, hash: expect.any(String) },
    checks: [{ name: 'entry', passed: true, text: '2 entries follow from the first one on.' }],
    known: undefined,
  })
})

test('whoever verifies it is told of a rewritten audit log, with both checkpoints', async () => {
  const empty = await verify()
  expect(empty).toMatchObject({ head: { number: 0 }, known: { size: 0 } })
  expect(empty.checks[0]!.text).toBe('0 entries follow from the first one on.')
  await server.act(4)
  expect((await verify(empty.known)).known).toMatchObject({ size: 4 })
  const first = await verify()
  expect(outcomes(first)).toEqual([
    'entry true',
    'inclusion true',
    'signature true',
    'consistency undefined',
    'repositories undefined',
  ])
  expect(first).toMatchObject({ head: { number: 4 }, known: { size: 4 } })
  await server.act(1)
  const { known } = await verify(first.known)
  expect(known).toMatchObject({ size: 5, origin: first.known!.origin })

  // The last entries are others, and a chain.
  await server.use(({ write }) =>
    write(async (transaction) => {
      const third = transaction.selectFrom('audit_log').select('hash').where('number', '=', 3)
      await transaction.updateTable('audit_head').set({ number: 3, hash: third }).execute()
      await transaction.deleteFrom('audit_log').where('number', '>', 3).execute()
    }),
  )
  await server.act(3)
  const unsigned = await verify(known)
  expect(outcomes(unsigned)).toEqual(['entry true', 'signature false'])
  expect(unsigned.checks[1]!.text).toBe(
    'The audit log: the server does not sign it, as it is not what was signed before.',
  )
  await forget(readAuditLog(known!.origin!)!.generation)
  const rewritten = await verify(known)
  expect(rewritten.known).toBeUndefined()
  const [failed, ...others] = rewritten.checks.filter(({ passed }) => passed === false)
  expect(others).toEqual([])
  expect(failed).toMatchObject({
    name: 'consistency',
    checkpoints: { before: known!.note, now: expect.stringContaining('/log\n6\n') },
  })
  expect(failed!.text).toContain('with 5 entries that was verified before: its history was rew')
})

test('whoever verifies it is told of a repository that is not what it has of it', async () => {
  for (const name of ['words', 'others', 'gone']) await server.createRepo(name)
  await server.importWords('words', 0, 5)
  await server.importWords('others', 5, 10)
  await server.importWords('gone', 0, 1)
  await server.recordCheckpoints()
  await server.client.repoDelete({ datasetId: 'gone' })
  const { checks } = await verify()
  expect(checks.at(-1)).toEqual({
    name: 'repositories',
    passed: true,
    text: '2 repositories go on from their last checkpoints here.',
  })
  const { origin } = await server.checkpoint('words')
  const { generation } = readRepoLog(origin)!
  await server.use(({ write }) =>
    write(async (transaction) => {
      const named = async (name: string, set: { name: string; generation?: string }) => {
        await transaction.updateTable('datasets').set(set).where('name', '=', name).execute()
      }
      await named('words', { name: 'aside' })
      await named('others', { name: 'words', generation })
    }),
  )
  const text = 'words: the server does not sign it, as it is not what was signed before'
  expect((await verify()).checks.at(-1)).toMatchObject({ passed: false, text })
  await forget(generation)
  const rewritten = (await verify()).checks.at(-1)!
  expect(rewritten).toMatchObject({ passed: false, checkpoints: { before: expect.any(String) } })
  expect(rewritten.text).toContain('words: The log is not a continuation of the state with 5 items')
  expect(await verify()).toMatchObject({ known: undefined })

  // Another log under the name, of which no entry tells.
  await server.use(({ write }) =>
    write(async (transaction) => {
      const other = { generation: '0123456789' }
      await transaction.updateTable('datasets').set(other).where('name', '=', 'words').execute()
    }),
  )
  expect((await verify()).checks.at(-1)).toMatchObject({
    passed: false,
    text: 'words: It has another log than it had, and no entry tells why.',
  })
})

test('a repository that was deleted and made again, or renewed, is another one, as entries tell', async () => {
  for (const name of ['words', 'others']) {
    await server.createRepo(name)
    await server.importWords(name, 0, 5)
  }
  await server.recordCheckpoints()
  await server.client.repoDelete({ datasetId: 'words' })
  await server.createRepo('words')
  const { generation } = readRepoLog((await server.checkpoint('others')).origin)!
  const { checkpoints } = await server.blobs.open()
  const last = await checkpoints.find(generation)
  await checkpoints.replace(generation, last, { size: 99, root: '0'.repeat(64) })
  expect(await server.renew()).toHaveLength(1)
  expect((await verify()).checks.at(-1)).toMatchObject({ passed: undefined })
  await server.importWords('words', 5, 10)
  await server.recordCheckpoints()
  expect((await verify()).checks.at(-1)).toMatchObject({
    passed: true,
    text: '2 repositories go on from their last checkpoints here.',
  })

  // One that is taken back has a checkpoint again, though it has not grown.
  await server.client.repoDelete({ datasetId: 'others' })
  const [deleted] = await server.client.deletedList({ name: 'others' })
  await server.client.deletedRestore({ deletedId: deleted!.id, body: {} })
  const text = async () => (await verify()).checks.at(-1)!.text
  expect(await text()).toBe('A repository goes on from its last checkpoint here.')
  await server.recordCheckpoints()
  expect(await text()).toBe('2 repositories go on from their last checkpoints here.')
})
