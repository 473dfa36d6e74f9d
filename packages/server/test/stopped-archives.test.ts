// @module-tag whole
// @module-tag imports

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import yazl from 'yazl'
import type { Blobs } from '../src/blobs/blobs.ts'
import { unpackArchive } from '../src/imports/archives/unpack-archive.ts'
import { ImportedFile } from '../src/imports/import-file.ts'
import type { ImportContext } from '../src/imports/import-context.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'

let dataDir: string
let testBlobs: TestBlobs
let blobs: Blobs
let database: TestDatabase

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
  testBlobs = createTestBlobs(dataDir)
  blobs = await testBlobs.open()
  database = await createTestDatabase(dataDir)
})

afterEach(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

async function receiveZip(files: [name: string, content: Buffer][]): Promise<ImportedFile> {
  const zip = new yazl.ZipFile()
  for (const [name, content] of files) zip.addBuffer(content, name, { compress: false })
  zip.end()
  const received = await blobs.receive(zip.outputStream as never, { maxBytes: Infinity })
  await received.publish()
  await received.discard()
  const { sha256, size } = received
  return new ImportedFile(blobs, [{ kind: 'sent', start: 0, name: null, sha256, size }])
}

class Stopping extends Error {}

/** A lease that is to be given up from the n-th time on that it is looked at. */
function leaseUntil(n: number) {
  const lease = {
    looks: 0,
    check: () => {
      lease.looks += 1
      if (lease.looks >= n) throw new Stopping()
    },
  }
  return lease
}

async function unpackUntil(n: number, file: ImportedFile) {
  const lease = leaseUntil(n)
  await database.use(async (store) => {
    const importing = { store, blobs, maxBytes: Infinity } as ImportContext
    const unpacking = unpackArchive(importing, { importId: 1, file, format: 'zip', lease })
    await expect(unpacking).rejects.toThrow(Stopping)
  })
  expect(await testBlobs.unpublished()).toEqual([])
  return lease
}

const rows: [string, Buffer] = ['rows.ndjson', Buffer.from('{}\n')]

test(
  'an archive is not listed any further once its import is to stop',
  { tags: 'long' },
  async () => {
    const file = await receiveZip([
      ...Array.from({ length: 200 }, (_, index): [string, Buffer] => [
        `${index}`,
        Buffer.from('x'),
      ]),
      rows,
    ])
    await unpackUntil(7, file)
    // The archive itself, and nothing out of it.
    expect(await testBlobs.list()).toHaveLength(1)
  },
)

test('a long file in an archive is not read any further', async () => {
  const long = Buffer.alloc(16 * 1024 ** 2, 'x')
  const file = await receiveZip([rows, ['long', long]])
  // Twice for each name that is listed, and for the rows as they are kept; then for chunks of the file.
  const { looks } = await unpackUntil(8, file)
  expect(looks).toBeLessThan(12)
})
