// @module-tag whole
// @module-tag blobs

import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import type { Author } from '../src/access/identity.ts'
import { createRepo } from '../src/datasets/create-repo.ts'
import { storageFailure } from '../src/failure.ts'
import { sendErrors } from '../src/http/errors.ts'
import { beginImport } from '../src/imports/import-requests.ts'
import { openCheckPool } from '../src/imports/check-pool.ts'
import { completeFile, receiveFile } from '../src/imports/import-file.ts'
import type { ImportContext } from '../src/imports/import-context.ts'
import { ItemIds } from '../src/store/item-ids.ts'
import { Imports } from '../src/imports/imports.ts'
import { workOnImport } from '../src/imports/work-on-import.ts'
import { Backoff } from '../src/runtime/backoff.ts'
import { findImportById } from '../src/store/imports.ts'
import { DatasetReader } from '../src/reading/dataset-reader.ts'
import { explainIoError } from '../src/store/sqlite/explain-io-error.ts'
import { mountSmallDisk } from './small-disk.ts'
import { createTestBlobs } from './test-blobs.ts'
import { createTestDatabase } from './test-database.ts'

const fault = (about: object) => Object.assign(new Error('a fault'), about)

test.each([
  ['EIO', { code: 'EIO' }, 503, 'STORAGE_UNAVAILABLE'],
  ['EMFILE', { code: 'EMFILE' }, 503, 'STORAGE_UNAVAILABLE'],
  ['SQLITE_IOERR_READ', { code: 'ERR_SQLITE_ERROR', errcode: 266 }, 503, 'STORAGE_UNAVAILABLE'],
  ['SQLITE_CANTOPEN', { code: 'ERR_SQLITE_ERROR', errcode: 14 }, 503, 'STORAGE_UNAVAILABLE'],
  ['ENOSPC', { code: 'ENOSPC' }, 507, 'STORAGE_FULL'],
  ['SQLITE_FULL', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, 507, 'STORAGE_FULL'],
  ['a constraint', { code: 'ERR_SQLITE_ERROR', errcode: 19 }, 500, 'INTERNAL'],
])('%s is answered with what it is, and logged with its cause', async (...given) => {
  const [, about, status, code] = given
  const lines: string[] = []
  const app = fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  sendErrors(app)
  app.get('/', () => Promise.reject(fault(about)))
  const reply = await app.inject('/')
  expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  expect(reply.headers['retry-after']).toBe(status === 503 ? '1' : undefined)
  expect(lines.join('')).toContain('a fault')
  await app.close()
})

const disk = mountSmallDisk(1)

test.skipIf(disk === undefined)(
  'an I/O error of SQLite is told as a full disk where the disk is full, and only there',
  async () => {
    const { folder, unmount } = disk!
    // SQLITE_IOERR_FSYNC
    const error = fault({ code: 'ERR_SQLITE_ERROR', errcode: 1034 })
    const codeOf = async () => storageFailure(await explainIoError(error, folder))?.code
    expect(await codeOf()).toBe('STORAGE_UNAVAILABLE')
    expect(readdirSync(folder)).toEqual([])
    const filling = openSync(join(folder, 'ballast'), 'w')
    expect(() => {
      for (;;) writeSync(filling, Buffer.alloc(4096))
    }).toThrow('ENOSPC')
    closeSync(filling)
    expect(await codeOf()).toBe('STORAGE_FULL')
    expect(readdirSync(folder)).toEqual(['ballast'])
    unmount()
  },
)

test('a failed operation is retried after a pause that doubles, up to a maximum', () => {
  let now = 0
  const backoff = new Backoff<string>({ firstMs: 5, maxMs: 30, clock: () => now })
  expect(backoff.isDue('a')).toBe(true)
  expect(Array.from({ length: 5 }, () => backoff.failed('a'))).toEqual([5, 10, 20, 30, 30])
  now = 29
  expect([backoff.isDue('a'), backoff.isDue('b')]).toEqual([false, true])
  now = 30
  expect(backoff.isDue('a')).toBe(true)
  backoff.forget('a')
  expect(backoff.failed('a')).toBe(5)
})

/** An import of one row that is ready to be checked, where opening its file meets what `faultOf` gives. */
async function withImport(
  faultOf: () => unknown,
  use: (given: {
    context: ImportContext
    id: number
    stateNow: () => Promise<string>
  }) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const database = await createTestDatabase(dataDir)
  const blobs = await createTestBlobs(dataDir).open()
  await database.use(async (store) => {
    const datasets = new DatasetReader(store, { onError: () => {} })
    const failing = {
      ...blobs,
      open: async (...given: Parameters<typeof blobs.open>) => {
        const met = faultOf()
        if (met !== undefined) throw met
        return blobs.open(...given)
      },
    }
    const checkPool = openCheckPool()
    const itemIds = new ItemIds(store)
    const context: ImportContext = {
      store,
      blobs: failing,
      datasets,
      itemIds,
      checkPool,
      maxBytes: 1e6,
      visibilityOf: async () => 'all',
    }
    const schema = [{ name: 'title', type: 'string' as const, length: 5 }]
    const author: Author = { identity: { issuer: 'i', subject: 's' }, visibility: 'all' }
    await createRepo(store, { name: 'notes', schema }, author)
    const { row } = await beginImport(
      context,
      { repoName: 'notes', key: 'a' },
      { format: 'ndjson', mode: 'all', columns: {}, guard: false },
      author,
    )
    const body = (async function* () {
      yield Buffer.from('{"title":"A"}\n')
    })()
    await completeFile(
      context,
      row.id,
      await receiveFile(context, row, { offset: 0, complete: true, body }),
    )
    const stateNow = async () => (await findImportById(store.reads, row.id))!.state
    await use({ context, id: row.id, stateNow })
    await checkPool.close()
    await datasets.stop()
  })
  await database.drop()
  rmSync(dataDir, { recursive: true })
}

test.each(['EIO', 'EMFILE'])(
  'an import that meets %s goes on by itself',
  { tags: 'long' },
  async (code) => {
    const faults: unknown[] = [fault({ code })]
    await withImport(
      () => faults.pop(),
      async ({ context, id, stateNow }) => {
        const logged: unknown[] = []
        const onLeft = (error: unknown) => logged.push(error)
        const stateAfterRun = async () => {
          const cancelling = new AbortController()
          const stopping = new AbortController().signal
          await workOnImport(context, { id, cancelling, stopping, onLeft, onError: onLeft })
          return stateNow()
        }
        expect(await stateAfterRun()).toBe('checking')
        expect(logged).toMatchObject([{ code }])
        // As it does every few seconds.
        expect(await stateAfterRun()).toBe('done')
      },
    )
  },
)

test(
  'an import that meets a fault again and again rests longer each time',
  { tags: 'long' },
  async () => {
    let [now, failures, isFailing] = [0, 0, true]
    await withImport(
      () => (isFailing ? fault({ code: 'EIO' }) : undefined),
      async ({ context, stateNow }) => {
        const imports = new Imports(context, { onError: () => (failures += 1), clock: () => now })
        const takeUp = async () => {
          await imports.resumeAll()
          return failures
        }
        const begun = vi.spyOn(imports, 'run')
        await expect.poll(takeUp).toBe(1)
        for (const [index, rest] of [5000, 10_000, 20_000].entries()) {
          now += rest - 1
          begun.mockClear()
          await imports.resumeAll()
          expect(begun).not.toHaveBeenCalled()
          now += 1
          await expect.poll(takeUp).toBe(index + 2)
        }
        isFailing = false
        now += 40_000
        // The failure is told before the work that met it is over.
        const stateOnceTakenUp = async () => {
          await imports.resumeAll()
          return stateNow()
        }
        await expect.poll(stateOnceTakenUp).toBe('done')
        await imports.stop()
      },
    )
  },
)
