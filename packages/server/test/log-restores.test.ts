// @module-tag engines

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { diagnose } from '../src/upkeep/doctor/diagnose.ts'
import { findDataset } from '../src/store/datasets.ts'
import { itemTable } from '../src/store/items.ts'
import { copyInstallation } from '../src/upkeep/installation/copy-installation.ts'
import { withFaultyLogs } from '../src/upkeep/installation/renew-logs.ts'
import { createEmptyPlace } from './empty-place.ts'
import { codeOf, startRestoredServer, type RestoredServer } from './restored-server.ts'
import { isOnS3 } from './test-blobs.ts'

let server: RestoredServer

beforeEach(async () => {
  server = await startRestoredServer()
})
afterEach(() => server.close())

/** Findings of the doctor about logs. */
async function diagnosed(): Promise<string[]> {
  const lines: string[] = []
  for await (const { subject, status, found } of diagnose(server.environment())) {
    if (subject === 'logs') lines.push(`${status} ${found}`)
  }
  return lines
}

test('an older backup is noticed, and signs nothing until its logs begin anew', async () => {
  const { client, checkpoint, createRepo, importWords } = server
  for (const name of ['grown', 'same']) await createRepo(name)
  await importWords('grown', 0, 300)
  await importWords('same', 0, 3)
  const kept = await checkpoint('same')
  expect(await checkpoint('grown')).toMatchObject({ size: 300 })
  const backup = await server.backUp()
  await importWords('grown', 300, 350)
  const lost = await checkpoint('grown')
  expect(lost.size).toBe(350)
  expect(await checkpoint('grown', 10)).toMatchObject({ size: 10 })
  expect(await diagnosed()).toEqual(['ok 3 of 3 go on from what was signed'])

  await server.restore(backup)
  const shorter =
    'the log of grown has 300 entries, and 350 were signed: those after entry 300 are missing'
  await vi.waitFor(() => expect(server.lines).toMatchObject([{ repo: 'grown', fault: shorter }]))
  expect(await codeOf(checkpoint('grown'))).toBe('LOG_NOT_SIGNED')
  // Not even what was signed before: the log shown beside it would be another.
  expect(await codeOf(checkpoint('grown', 300))).toBe('LOG_NOT_SIGNED')
  const datasetId = 'grown'
  expect(await codeOf(client.logProof({ datasetId, itemId: 1 }))).toBe('LOG_NOT_SIGNED')
  const bundle = client.datasetExport({ datasetId, format: 'bundle' })
  expect(await codeOf(bundle)).toBe('LOG_NOT_SIGNED')
  expect(await checkpoint('same')).toEqual(kept)
  expect(await diagnosed()).toEqual([`wrong ${shorter}`])

  // It goes on, past what was signed, with other items.
  await importWords('grown', 1000, 1100)
  expect(await codeOf(checkpoint('grown'))).toBe('LOG_NOT_SIGNED')
  const other = 'the first 350 entries of the log of grown are not those that were signed'
  expect(await diagnosed()).toContain(`wrong ${other}`)
  expect(await server.renew()).toEqual([other])
  const renewed = await checkpoint('grown')
  expect(renewed.size).toBe(400)
  expect(renewed.origin).not.toBe(lost.origin)
  expect(await checkpoint('same')).toEqual(kept)
  expect(await client.auditList({ what: 'log-renewed' })).toMatchObject([
    { dataset: { name: 'grown' }, details: { fault: 'other', signed: 350 } },
  ])
})

test('an older backup of which nothing later was signed goes on', async () => {
  const { client, checkpoint, createRepo, importWords } = server
  await createRepo('words')
  const backup = await server.backUp()
  await importWords('words', 0, 10)
  const { origin } = await checkpoint('words', 0)
  await server.restore(backup)
  expect(await checkpoint('words')).toMatchObject({ origin, size: 0 })
  await addItem(client, 'words', { word: 'one' })
  expect(await checkpoint('words')).toMatchObject({ origin, size: 1 })
  expect(server.lines).toEqual([])
})

test('a log that lacks items is told apart, and keeps no other from beginning anew', async () => {
  const { checkpoint, createRepo, importWords } = server
  for (const name of ['lacking', 'words']) await createRepo(name)
  await importWords('lacking', 0, 300)
  await checkpoint('lacking')
  const backup = await server.backUp()
  await importWords('words', 0, 10)
  await checkpoint('words')
  await server.restore(backup)
  await vi.waitFor(() => expect(server.lines).toMatchObject([{ repo: 'words' }]))
  await server.use(async ({ reads, write }) => {
    const { id } = (await findDataset(reads, 'lacking'))!
    const statement = sql`delete from ${itemTable(id)} where position = 1`
    await write(async (transaction) => {
      await statement.execute(transaction)
      // Its tree has to be made again, which fails before it can be compared.
      await transaction.deleteFrom('log_nodes').execute()
    })
  })
  await server.restart()
  await vi.waitFor(() =>
    expect(server.lines.slice(1)).toMatchObject([
      { msg: 'a log could not be brought up to date', repo: 'lacking' },
      { repo: 'words' },
    ]),
  )
  expect(await server.renew()).toEqual([
    'the log of words has 0 entries, and 10 were signed: those after entry 0 are missing',
  ])
  expect(await checkpoint('words')).toMatchObject({ size: 0 })
  expect(await diagnosed()).toEqual([
    'wrong items of the log of lacking are missing from the database',
  ])
})

test('a copy has what was signed, and signs no more than the installation that it is of', async () => {
  const { checkpoint, createRepo, importWords } = server
  for (const name of ['words', 'others']) await createRepo(name)
  const backup = await server.backUp()
  await importWords('words', 0, 10)
  await checkpoint('words')
  await server.restore(backup)
  const { env, drop } = await createEmptyPlace(join(server.dataDir, 'copy'))
  const to = readConfig({ ...env, VITRINE_LOG_LEVEL: 'silent' })
  try {
    await server.restart({}, async () => {
      await copyInstallation({ from: readConfig(server.environment()), to })
    })
    await withFaultyLogs(to, async ({ list }) => {
      expect(await list()).toMatchObject([
        { repo: { name: 'words' }, fault: { kind: 'shorter', signed: 10, entries: 0 } },
      ])
    })
  } finally {
    await drop()
  }
})

test.skipIf(isOnS3)(
  'where what was signed is lost, no log is signed that could contradict it',
  async () => {
    const { client, checkpoint, createRepo, importWords } = server
    for (const name of ['words', 'resting']) await createRepo(name)
    await importWords('words', 0, 3)
    const before = await checkpoint('words')
    const resting = await checkpoint('resting')
    await client.repoDelete({ datasetId: 'resting' })
    const place = join(server.dataDir, 'blobs', 'checkpoints')
    const aside = join(server.dataDir, 'aside')
    await server.restart({}, async () => renameSync(place, aside))
    expect(await codeOf(checkpoint('words'))).toBe('LOG_NOT_SIGNED')
    await vi.waitFor(() => expect(server.lines).toHaveLength(1))
    expect(await diagnosed()).toEqual([
      'wrong what was signed last of each log is not beside the blobs',
    ])

    // It is put back.
    renameSync(aside, place)
    expect(await checkpoint('words')).toEqual(before)

    // Or it is not.
    renameSync(place, aside)
    expect(await server.renew()).toHaveLength(2)
    const renewed = await checkpoint('words')
    expect(renewed).toMatchObject({ size: 3, root: before.root })
    expect(renewed.origin).not.toBe(before.origin)
    const [deleted] = await client.deletedList({})
    await client.deletedRestore({ deletedId: deleted!.id, body: {} })
    expect((await checkpoint('resting')).origin).not.toBe(resting.origin)
  },
)
