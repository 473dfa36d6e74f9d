// @module-tag engines

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { addItem, checkCheckpoint, createClient, type KnownLog } from '@vitrine/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CheckpointStore } from '../src/blobs/blobs.ts'
import { readConfig } from '../src/config.ts'
import { RepoLog } from '../src/log/repo-log.ts'
import { CheckpointGuard } from '../src/log/checkpoint-guard.ts'
import { startServer } from '../src/start.ts'
import { findDataset } from '../src/store/datasets.ts'
import { patient } from './patient.ts'
import { codeOf, startRestoredServer, type RestoredServer } from './restored-server.ts'
import { ignoresConditions } from './test-blobs.ts'
import type { TestDatabase } from './test-database.ts'
import { times } from './times.ts'

const rounds = times('LOG_TRIALS', { first: 4, again: 2, whole: 100 })
const seed = Number(process.env['LOG_TRIALS_SEED'] ?? Date.now() % 2 ** 31)
let drawn = 0
/** Draws a number from 0 to 1, the same ones for the same seed. */
function draw(): number {
  drawn += 1
  return createHash('sha256').update(`${seed} ${drawn}`).digest().readUInt32BE() / 2 ** 32
}

const hash = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest())

let server: RestoredServer
/** The last checkpoint of each log, by its origin, as whoever keeps them has it. */
let known: Map<string, KnownLog>

beforeEach(async () => {
  server = await startRestoredServer()
  known = new Map()
})
afterEach(() => server.close())

/** Takes a checkpoint, and verifies that it contradicts none that was taken before; returns its origin. */
async function take(datasetId: string): Promise<string> {
  const note = await server.note(datasetId)
  const [origin = ''] = note.split('\n')
  const before = known.get(origin)
  const checked = await checkCheckpoint(server.client, datasetId, { note, known: before, hash })
  expect(checked.checks.filter(({ passed }) => passed === false)).toEqual([])
  expect(checked.known!.size).toBeGreaterThanOrEqual(before?.size ?? 0)
  known.set(origin, checked.known!)
  return origin
}

test(`of ${rounds} restores of older backups each is told that lost what was signed (seed ${seed})`, async () => {
  await server.createRepo('words')
  type Content = { numbers: readonly number[]; origin: string }
  const backups: { database: TestDatabase; content: Content }[] = []
  /** The longest content of each log that was signed. */
  const signed = new Map<string, readonly number[]>()
  let content: Content = { numbers: [], origin: await take('words') }
  let next = 0
  const add = async () => {
    const from = next
    next += 1 + Math.floor(draw() * 300)
    await server.importWords('words', from, next)
    const added = Array.from({ length: next - from }, (_, at) => from + at)
    content = { ...content, numbers: [...content.numbers, ...added] }
  }
  const sign = async () => {
    const origin = await take('words')
    signed.set(origin, content.numbers)
    return origin
  }
  let told = 0
  for (let round = 0; round < rounds; round += 1) {
    await add()
    backups.push({ database: await server.backUp(), content })
    await add()
    if (round === 0 || draw() < 0.8) await sign()
    const backup = backups[Math.floor(draw() * backups.length)]!
    await server.restore(backup.database)
    content = backup.content
    if (draw() < 0.3) await add()
    const before = signed.get(content.origin) ?? []
    const isContradicting = before.some((number, at) => content.numbers[at] !== number)
    expect(await codeOf(server.note('words'))).toBe(isContradicting ? 'LOG_NOT_SIGNED' : 'none')
    if (isContradicting) {
      told += 1
      expect(await server.renew()).toHaveLength(1)
      const origin = await sign()
      content = { ...content, origin }
    } else expect(await sign()).toBe(content.origin)
  }
  expect(told).toBeGreaterThan(0)
}, 600_000)

test(`a name that is deleted and made again ${rounds} times is another log each time`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    await server.createRepo('words')
    await addItem(server.client, 'words', { word: `w${round}` })
    await take('words')
    await server.client.repoDelete({ datasetId: 'words' })
  }
  expect(known.size).toBe(rounds)
}, 600_000)

test.skipIf(ignoresConditions)(
  `of two servers that start at once on a database and its copy, ${rounds} times, one signs`,
  async () => {
    const token = await server.issuer.token()
    for (let round = 0; round < rounds; round += 1) {
      const datasetId = `words-${round}`
      await server.createRepo(datasetId)
      const copied = await server.backUp()
      const [twin] = await Promise.all([startTwin(copied), server.restart()])
      try {
        const baseUrl = `http://127.0.0.1:${twin.port}`
        const clients = [server.client, createClient({ baseUrl, token: () => token })]
        await Promise.all(
          clients.map((client, at) => addItem(client, datasetId, { word: `of ${at}` })),
        )
        const codes = await Promise.all(
          clients.map((client) => codeOf(client.logCheckpoint({ datasetId }))),
        )
        expect(new Set(codes)).toEqual(new Set(['LOG_NOT_SIGNED', 'none']))
      } finally {
        await twin.close()
      }
    }
  },
  600_000,
)

/** Starts a server on a copy of the database, with the same blobs and the same address. */
function startTwin({ address, env }: TestDatabase) {
  return startServer(
    readConfig({
      VITRINE_PORT: '0',
      VITRINE_PUBLIC_URL: server.url.replace('127.0.0.1', 'localhost'),
      VITRINE_DATA_DIR: join(server.dataDir, 'twin'),
      VITRINE_BLOB_URL: `file:${join(server.dataDir, 'blobs')}`,
      ...server.blobs.env,
      ...env,
      ...(address.engine === 'sqlite' && { VITRINE_DATABASE_URL: `sqlite:${address.file}` }),
      VITRINE_OIDC_AUTHORITY: server.issuer.issuer,
      VITRINE_OIDC_CLIENT_ID: server.issuer.clientId,
      VITRINE_OIDC_AUDIENCE: server.issuer.audience,
      VITRINE_LOG_LEVEL: 'silent',
    }),
    patient,
  )
}

test('two faults of the storage in a row, before and after it wrote, leave one history', async () => {
  await server.createRepo('words')
  const store = await server.database.open()
  const { checkpoints } = await server.blobs.open()
  try {
    for (let round = 0; round < rounds; round += 1) {
      await server.importWords('words', 10 * round, 10 * (round + 1))
      const isFirstWritten = round % 2 === 1
      const faults = [isFirstWritten ? 'after' : 'before', round % 4 < 2 ? 'after' : 'before']
      const replace: CheckpointStore['replace'] = async (...change) => {
        const fault = faults.shift()
        if (fault === 'before') throw new Error('the storage fails')
        const isReplaced = await checkpoints.replace(...change)
        if (fault === 'after') throw new Error('the storage fails')
        return isReplaced
      }
      const states = new CheckpointGuard({ ...checkpoints, replace })
      const repo = (await findDataset(store.reads, 'words'))!
      const log = new RepoLog(store, repo, new AbortController().signal)
      const size = 10 * (round + 1)
      await log.grow(size)
      const root = await log.rootOf(size)
      const outcomes: boolean[] = []
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const attempted = states.advance({ log, generation: repo.generation, size }, root)
        outcomes.push(
          await attempted.then(
            () => true,
            () => false,
          ),
        )
      }
      // What was written before it failed stands.
      expect(outcomes).toEqual([false, isFirstWritten, true])
      await take('words')
    }
  } finally {
    await store.close()
  }
}, 600_000)
