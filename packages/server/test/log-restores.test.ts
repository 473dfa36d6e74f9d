// @module-tag engines

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, addItem } from '@vitrine/client'
import { readCheckpoint, readNote } from '@vitrine/transparency-log'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { diagnose } from '../src/upkeep/doctor/diagnose.ts'
import { faultText, withFaultyLogs } from '../src/upkeep/installation/renew-logs.ts'
import { startTestServer, type TestServer } from './server.ts'
import { isOnS3 } from './test-blobs.ts'
import type { TestDatabase } from './test-database.ts'

let server: TestServer
let lines: { msg: string; repo?: string; fault?: string }[]
/** Databases beside the server's own. */
let copies: TestDatabase[]

beforeEach(async () => {
  lines = []
  copies = []
  const logOutput = { write: (line: string) => void lines.push(JSON.parse(line) as never) }
  const env = { VITRINE_LOG_LEVEL: 'error', VITRINE_ADMINS: 'alice' }
  server = await startTestServer(env, { restarts: true, logOutput })
})

afterEach(async () => {
  await server.close()
  for (const copy of copies) await copy.drop()
})

const createRepo = (name: string) =>
  server.client.repoCreate({
    body: { name, schema: [{ name: 'word', type: 'string', length: 20 }] },
  })

async function importWords(datasetId: string, from: number, to: number): Promise<void> {
  const words = Array.from({ length: to - from }, (_, at) => `{"word":"w${from + at}"}`)
  const input = { datasetId, format: 'ndjson', wait: 60, body: `${words.join('\n')}\n` }
  expect(await server.client.importBegin(input as never)).toMatchObject({ state: 'done' })
}

async function checkpoint(datasetId: string, size?: number) {
  const input = { datasetId, ...(size !== undefined && { size }) }
  const text = await (await server.client.logCheckpoint(input)).text()
  return readCheckpoint(readNote(text)!.text)!
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

async function copyWhileStopped(name: string): Promise<TestDatabase> {
  let copy: TestDatabase | undefined
  await server.restart({}, async () => {
    copy = await server.database.copy(join(server.dataDir, name))
  })
  copies.push(copy!)
  return copy!
}

/** Variables of a server on a database. */
const on = ({ address }: TestDatabase): Record<string, string> => ({
  VITRINE_DATABASE_URL: address.engine === 'sqlite' ? `sqlite:${address.file}` : address.url,
})

const environment = (database: TestDatabase) => ({
  VITRINE_DATA_DIR: server.dataDir,
  ...server.blobs.env,
  ...on(database),
})

async function diagnosed(database: TestDatabase): Promise<string[]> {
  const found: string[] = []
  for await (const { subject, status, found: text } of diagnose(environment(database))) {
    if (subject === 'logs') found.push(`${status} ${text}`)
  }
  return found
}

/** Lets the logs begin anew that cannot be signed; returns why each could not. */
async function renew(database: TestDatabase): Promise<string[]> {
  let faults: string[] = []
  await withFaultyLogs(readConfig(environment(database)), async (logs) => {
    const faulty = await logs.list()
    faults = faulty.map(({ repo, fault }) => faultText(repo.name, fault))
    await logs.renew(faulty)
  })
  return faults
}

test('an older backup is noticed, and signs nothing until its logs begin anew', async () => {
  for (const name of ['grown', 'same']) await createRepo(name)
  await importWords('grown', 0, 300)
  await importWords('same', 0, 3)
  const kept = await checkpoint('same')
  expect(await checkpoint('grown')).toMatchObject({ size: 300 })
  const backup = await copyWhileStopped('backup')
  await importWords('grown', 300, 350)
  const lost = await checkpoint('grown')
  expect(lost.size).toBe(350)
  expect(await checkpoint('grown', 10)).toMatchObject({ size: 10 })
  expect(await diagnosed(server.database)).toEqual(['ok 2 go on from what was signed of them'])

  await server.restart(on(backup))
  const shorter =
    'the log of grown has 300 entries, and 350 were signed: those after entry 300 are missing'
  await vi.waitFor(() => expect(lines).toMatchObject([{ repo: 'grown', fault: shorter }]))
  expect(await codeOf(checkpoint('grown'))).toBe('LOG_NOT_SIGNED')
  // Not even what was signed before: the log shown beside it would be another.
  expect(await codeOf(checkpoint('grown', 300))).toBe('LOG_NOT_SIGNED')
  const datasetId = 'grown'
  expect(await codeOf(server.client.logProof({ datasetId, itemId: 1 }))).toBe('LOG_NOT_SIGNED')
  const bundle = server.client.datasetExport({ datasetId, format: 'bundle' })
  expect(await codeOf(bundle)).toBe('LOG_NOT_SIGNED')
  expect(await checkpoint('same')).toEqual(kept)
  expect(await diagnosed(backup)).toEqual([
    `wrong ${shorter}`,
    'ok 1 go on from what was signed of them',
  ])

  // It goes on, past what was signed, with other items.
  await importWords('grown', 1000, 1100)
  expect(await codeOf(checkpoint('grown'))).toBe('LOG_NOT_SIGNED')
  const other = 'the first 350 entries of the log of grown are not those that were signed'
  let faults: string[] = []
  await server.restart(on(backup), async () => {
    expect(await diagnosed(backup)).toContain(`wrong ${other}`)
    faults = await renew(backup)
  })
  expect(faults).toEqual([other])
  const renewed = await checkpoint('grown')
  expect(renewed.size).toBe(400)
  expect(renewed.origin).not.toBe(lost.origin)
  expect(await checkpoint('same')).toEqual(kept)
  const entries = await server.client.auditList({ what: 'log-renewed' })
  expect(entries).toMatchObject([
    { dataset: { name: 'grown' }, details: { fault: 'other', signed: 350 } },
  ])
})

test('a database that is newer goes on, and so does one of before that signed nothing', async () => {
  await createRepo('words')
  const backup = await copyWhileStopped('backup')
  await importWords('words', 0, 10)
  const { origin } = await checkpoint('words', 0)
  await server.restart(on(backup))
  expect(await checkpoint('words')).toMatchObject({ origin, size: 0 })
  await addItem(server.client, 'words', { word: 'one' })
  expect(await checkpoint('words')).toMatchObject({ origin, size: 1 })
  expect(lines).toEqual([])
})

test.skipIf(isOnS3)(
  'where what was signed is lost, no log is signed that could contradict it',
  async () => {
    for (const name of ['words', 'resting']) await createRepo(name)
    await importWords('words', 0, 3)
    const before = await checkpoint('words')
    const resting = await checkpoint('resting')
    await server.client.repoDelete({ datasetId: 'resting' })
    const place = join(server.dataDir, 'blobs', 'checkpoints')
    const aside = join(server.dataDir, 'aside')
    await server.restart({}, async () => renameSync(place, aside))
    expect(await codeOf(checkpoint('words'))).toBe('LOG_NOT_SIGNED')
    expect(lines.at(-1)).toMatchObject({ repo: 'words' })
    expect(await diagnosed(server.database)).toContain(
      'wrong the last state of the log of words that was signed is not beside the blobs',
    )

    // It is put back.
    renameSync(aside, place)
    expect(await checkpoint('words')).toEqual(before)

    // Or it is not.
    await server.restart({}, async () => {
      renameSync(place, aside)
      expect(await renew(server.database)).toHaveLength(1)
    })
    expect(await checkpoint('words')).toMatchObject({ size: 3, root: before.root })
    expect((await checkpoint('words')).origin).not.toBe(before.origin)
    const [deleted] = await server.client.deletedList({})
    await server.client.deletedRestore({ deletedId: deleted!.id, body: {} })
    expect((await checkpoint('resting')).origin).not.toBe(resting.origin)
  },
)
