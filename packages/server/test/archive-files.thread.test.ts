// @module-tag whole
// @module-tag imports

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import yazl from 'yazl'
import type { Blobs } from '../src/blobs/blobs.ts'
import { unpackArchive } from '../src/imports/archives/unpack-archive.ts'
import { ImportedFile } from '../src/imports/import-file.ts'
import type { ImportContext } from '../src/imports/import-context.ts'
import { createTestBlobs } from './test-blobs.ts'
import { createTestDatabase } from './test-database.ts'

const files = 300

/** Unpacks a zip of many small files through a watched store of blobs; returns what is kept then. */
async function unpack(watch: (blobs: Blobs) => Blobs): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const testBlobs = createTestBlobs(dataDir)
  const database = await createTestDatabase(dataDir)
  onTestFinished(database.drop)
  const blobs = await testBlobs.open()
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from('{}\n'), 'rows.ndjson')
  for (let file = 0; file < files; file += 1) zip.addBuffer(Buffer.from(`${file}`), `${file}.txt`)
  zip.end()
  const received = await blobs.receive(zip.outputStream as never, { maxBytes: Infinity })
  await received.publish()
  await received.discard()
  const { sha256, size } = received
  await database.use(async (store) => {
    const watched = watch(blobs)
    const sent = { kind: 'sent' as const, start: 0, name: null, sha256, size }
    const file = new ImportedFile(watched, [sent])
    const context = { store, blobs: watched, maxBytes: Infinity } as ImportContext
    const lease = { check: () => {} }
    await unpackArchive(context, { importId: 1, file, format: 'zip', lease })
  })
  return testBlobs.list()
}

test('many small files of an archive are read by a few reads of the archive', async () => {
  let opened = 0
  const kept = await unpack((blobs) => ({
    ...blobs,
    open: (...asked) => {
      opened += 1
      return blobs.open(...asked)
    },
  }))
  // With the rows and the archive itself.
  expect(kept).toHaveLength(files + 2)
  expect(opened).toBeLessThan(20)
})

test('many small files of an archive are received and published side by side', async () => {
  const most = { received: 0, published: 0 }
  const running = { received: 0, published: 0 }
  const count = async <T>(what: keyof typeof most, work: Promise<T>): Promise<T> => {
    running[what] += 1
    most[what] = Math.max(most[what], running[what])
    return work.finally(() => (running[what] -= 1))
  }
  await unpack((blobs) => ({
    ...blobs,
    receive: async (...asked) => {
      const blob = await count('received', blobs.receive(...asked))
      return { ...blob, publish: (there) => count('published', blob.publish(there)) }
    },
  }))
  expect(most.received).toBeGreaterThan(1)
  expect(most.published).toBe(16)
})
