import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toRowLists } from '@vitrine/rows/write/row-lists'
import { createRepo } from '../src/datasets/create-repo.ts'
import type { RowFormat } from '../src/exports/row-writer.ts'
import type { writeRows as WriteRows } from '../src/exports/write-rows.ts'
import { Checkers, openCheckPool } from '../src/imports/check-pool.ts'
import { ImportedFile } from '../src/imports/import-file.ts'
import { SearchIndexing } from '../src/reading/search/search-indexing.ts'
import { candidateSpans } from '../src/search-index/candidate-spans.ts'
import { longestGrams } from '../src/search-index/grams.ts'
import { segmentItems } from '../src/search-index/segment-filter.ts'
import { countSegments } from '../src/store/search-slices.ts'
import { WorkerWriter } from '../src/store/sqlite/worker-writer.ts'
import { fillWords } from './fill-words.ts'
import { createTestBlobs } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite } from './test-database.ts'
import { until } from './until.ts'

/** Milliseconds; longer than any worker stays idle. */
const longMs = 3_600_000

/** Each worker that starts. */
const workers: Worker[] = []
const note = (worker: Worker) => void workers.push(worker)

let writeRows: typeof WriteRows

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  process.on('worker', note)
  // With no idle workers of other tests: all exports of a process share some.
  vi.resetModules()
  writeRows = (await import('../src/exports/write-rows.ts')).writeRows
})

afterEach(async () => {
  process.off('worker', note)
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()))
  vi.useRealTimers()
})

/** Opens a pool for checks of rows of one field, as long as some work takes. */
async function withChecks(
  work: (
    openCheckers: () => Checkers,
    checkRow: (checkers: Checkers) => Promise<number>,
  ) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const file = new ImportedFile(await createTestBlobs(folder).open(), [])
  const schema = [{ name: 'title', type: 'string' as const, length: 5 }]
  const pool = openCheckPool()
  const openCheckers = () =>
    new Checkers(pool, {
      config: { schema, format: 'ndjson', columns: {} },
      file,
      resolve: {
        lookUp: () => Promise.reject(new Error('nothing is needed')),
        match: () => Promise.reject(new Error('nothing is matched')),
      },
    })
  const checkRow = async (checkers: Checkers) => {
    const { acceptedRows } = await checkers.check(new TextEncoder().encode('{"title":"A"}\n'))
    return acceptedRows
  }
  await work(openCheckers, checkRow)
  await pool.close()
  rmSync(folder, { recursive: true })
}

test('an import that begins while the idle worker of another one ends is checked', () =>
  withChecks(async (openCheckers, checkRow) => {
    for (let round = 0; round < 2; round += 1) {
      const checkers = openCheckers()
      expect(await checkRow(checkers)).toBe(1)
      await checkers.close()
      vi.advanceTimersByTime(longMs)
    }
  }))

test('an import whose worker exits goes on in another one', () =>
  withChecks(async (openCheckers, checkRow) => {
    const checkers = openCheckers()
    for (let round = 0; round < checkers.size; round += 1) await checkRow(checkers)
    const exit = Promise.all(workers.map((worker) => worker.terminate()))
    // That they end is not known yet.
    expect(await checkRow(checkers)).toBe(1)
    await exit
    expect(await checkRow(checkers)).toBe(1)
    await checkers.close()
  }))

const format: RowFormat = {
  kind: 'ndjson',
  columns: [{ name: 'id', kind: 'integer', isRequired: true }],
}
const windowRows = 1000

/** Begins an export of so many windows, which are read and written one by one where it `isStepwise`. */
function exportRows(windowCount: number, isStepwise = false) {
  const window = toRowLists(Array.from({ length: windowRows }, () => [1]))
  const windows = async function* () {
    for (let index = 0; index < windowCount; index += 1) {
      yield { ...window, bytes: window.bytes.slice() }
    }
  }
  return writeRows(format, { windows: windows(), count: 1e9, isStepwise })
}

async function countLines(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let text = ''
  for await (const chunk of bytes) text += Buffer.from(chunk).toString()
  return text.split('\n').length - 1
}

test('an export that begins while an idle worker ends is whole', async () => {
  expect(await countLines(exportRows(3))).toBe(3 * windowRows)
  vi.advanceTimersByTime(longMs)
  expect(await countLines(exportRows(3))).toBe(3 * windowRows)
})

test('exports whose worker ended fail, and give their turns to others', async () => {
  for (let round = 0; round < 6; round += 1) {
    const bytes = exportRows(3, true)
    await bytes.next()
    await Promise.all(workers.map((worker) => worker.terminate()))
    await expect(countLines(bytes)).rejects.toThrow('ended')
  }
  expect(await countLines(exportRows(3))).toBe(3 * windowRows)
})

test.runIf(isOnSqlite)(
  'a checkpoint after the writing thread was idle has another one',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    const { address, drop } = await createTestDatabase(folder)
    const writer = new WorkerWriter((address as { file: string }).file)
    await writer.checkpoint()
    const [first] = workers
    const ended = once(first!, 'exit')
    vi.advanceTimersByTime(longMs)
    await ended
    await writer.checkpoint()
    expect(workers).toHaveLength(2)
    await writer.close()
    await drop()
    rmSync(folder, { recursive: true })
  },
)

test.runIf(isOnSqlite)('the second thread that scans begins after the first search', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const database = await createTestDatabase(folder)
  await database.use(async (store) => {
    const read = store.prepareBatchInWorker<{ number: number }, [number]>(
      (slot) => sql`select cast(${slot('number')} as integer)`,
    )
    const batch = [3, 1, 2].map((number) => ({ number }))
    expect(await read(batch, Infinity)).toEqual([[3], [1], [2]])
    expect(workers).toHaveLength(1)
    const ready = once(process, 'worker').then(([second]) => once(second as Worker, 'message'))
    vi.advanceTimersByTime(1000)
    await ready
    // Now each of the two takes a part.
    const answers = workers.map((worker) => once(worker, 'message'))
    expect(await read(batch, Infinity)).toEqual([[3], [1], [2]])
    await Promise.all(answers)
    expect(await read(batch, 2)).toEqual([[3], [1]])
    expect(workers).toHaveLength(2)
  })
  await database.drop()
  rmSync(folder, { recursive: true })
})

// PostgreSQL's lease of the indexing and the limits of its statements go by the same timers.
test.runIf(isOnSqlite)(
  'the worker of a segment of texts that is half made does not count as idle',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    const database = await createTestDatabase(folder)
    await database.use(async (store) => {
      await createRepo(
        store,
        { name: 'words', schema: [{ name: 'word', type: 'string', length: 20 }] },
        { identity: { issuer: 'i', subject: 's' }, visibility: 'all' },
      )
      await fillWords({ database }, segmentItems)
      const { id: repoId } = await store.reads
        .selectFrom('datasets')
        .select('id')
        .executeTakeFirstOrThrow()
      // As if much time passed after each window of texts that a worker has taken, before it gets another.
      const advance = ({ reply }: { reply?: unknown }) => {
        if (reply === undefined) vi.advanceTimersByTime(longMs)
      }
      const watch = (worker: Worker) => void worker.on('message', advance)
      process.on('worker', watch)
      const errors: unknown[] = []
      const indexing = new SearchIndexing(store, { onError: (error) => errors.push(error) })
      indexing.begin(repoId)
      await until(async () => errors.length > 0 || (await countSegments(store.reads, repoId)) === 1)
      expect(errors).toEqual([])
      for (const position of [1, segmentItems / 2, segmentItems - 1]) {
        const of = longestGrams(`w${10_000 + position}`).map((hash) => ({
          kind: 'gram' as const,
          hash,
        }))
        const range = { from: 0, upTo: segmentItems, max: segmentItems }
        const { spans } = await candidateSpans(
          store.reads,
          { repoId, needed: { kind: 'all', of } },
          range,
        )
        expect(spans.some(({ from, to }) => from <= position && position < to)).toBe(true)
      }
      await indexing.stop()
      process.off('worker', watch)
    })
    await database.drop()
    rmSync(folder, { recursive: true })
  },
)
