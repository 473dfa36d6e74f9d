import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createRepo } from '../src/datasets/create-repo.ts'
import { sendErrors } from '../src/http/errors.ts'
import { beginImport } from '../src/imports/begin-import.ts'
import { CheckThreads } from '../src/imports/check-threads.ts'
import { completeFile } from '../src/imports/complete-file.ts'
import type { Importing } from '../src/imports/import-context.ts'
import { receiveFile } from '../src/imports/receive-file.ts'
import { workOnImport } from '../src/imports/work-on-import.ts'
import { findImportById } from '../src/store/imports.ts'
import { Datasets } from '../src/views/datasets.ts'
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
])('A5: %s is answered with what it is, and logged with its cause', async (...given) => {
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

test.each(['EIO', 'EMFILE'])('A5: an import that meets %s goes on by itself', async (code) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const database = await createTestDatabase(dataDir)
  const blobs = await createTestBlobs(dataDir).open()
  await database.use(async (store) => {
    const faults: unknown[] = [fault({ code })]
    const datasets = new Datasets(store, { onError: () => {} })
    const failing = {
      ...blobs,
      open: async (...given: Parameters<typeof blobs.open>) => {
        if (faults.length > 0) throw faults.pop()
        return blobs.open(...given)
      },
    }
    const threads = new CheckThreads()
    const importing: Importing = { store, blobs: failing, datasets, threads, maxBytes: 1e6 }
    const schema = [{ name: 'title', type: 'string' as const, length: 5 }]
    const identity = { issuer: 'i', subject: 's' }
    await createRepo(store, { name: 'notes', schema }, identity)
    const { row } = await beginImport(
      importing,
      { repoName: 'notes', key: 'a' },
      { format: 'ndjson', mode: 'all', columns: {}, guard: false },
      identity,
    )
    const body = (async function* () {
      yield Buffer.from('{"title":"A"}\n')
    })()
    await completeFile(
      importing,
      row.id,
      await receiveFile(importing, row, { offset: 0, complete: true, body }),
    )
    const logged: unknown[] = []
    const stateAfterRun = async () => {
      await workOnImport(importing, {
        id: row.id,
        cancelling: new AbortController(),
        stopping: new AbortController().signal,
        onError: (error) => logged.push(error),
      })
      return (await findImportById(store.reads, row.id))!.state
    }
    expect(await stateAfterRun()).toBe('checking')
    expect(logged).toMatchObject([{ code }])
    // As it does every few seconds.
    expect(await stateAfterRun()).toBe('done')
    await threads.close()
    await datasets.stop()
  })
  await database.drop()
  rmSync(dataDir, { recursive: true })
})
