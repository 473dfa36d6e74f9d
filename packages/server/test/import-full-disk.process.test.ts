// @module-tag whole
// @module-tag imports

import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addItem, importFile, type ApiError } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LogLines } from './log-lines.ts'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { mountSmallDisk } from './small-disk.ts'
import { isOnS3 } from './test-blobs.ts'
import { untilDone } from './until.ts'

// With blobs elsewhere, nothing of a file is written to this disk.
const disk = isOnS3 ? undefined : mountSmallDisk(160)
const folder = disk?.folder ?? ''
const ballast = join(folder, 'ballast')

const mib = 1024 ** 2
const rowCount = 100
/** 9 MB: what is checked takes as much again, and room for three times that is held for its items. */
const rowsOf = (name: string) =>
  Array.from(
    { length: rowCount },
    (_, row) => `{"note":"${name} ${row} ${'x'.repeat(90_000)}"}\n`,
  ).join('')

describe.skipIf(disk === undefined)('a disk that is full', () => {
  const log = new LogLines()
  let server: TestServer

  beforeAll(async () => {
    const env = { VITRINE_DATA_DIR: folder, VITRINE_LOG_LEVEL: 'error' }
    server = await startTestServer(env, { logOutput: log.output })
  })

  afterAll(async () => {
    await server.close()
    disk!.unmount()
  })

  // The server leaves 8 MiB for what has to go on (`blobs/disk-reserve.ts`).
  test.each([
    ['comes in', 8 + 4],
    ['is checked', 8 + 13],
    ['is published', 8 + 24],
  ])('while an import %s leaves all as it was, and it is gone on with', async (when, roomMib) => {
    const { client } = server
    const datasetId = when.replaceAll(' ', '-')
    const schema = [{ name: 'note', type: 'string' as const, length: 100_000 }]
    await client.repoCreate({ body: { name: datasetId, schema } })
    const before = await addItem(client, datasetId, { note: 'before' })
    const expectUnchanged = async () => {
      const items = await client.datasetItemList({ datasetId })
      expect(items.map(({ id }) => id)).toEqual([before])
      expect(await client.datasetCount({ datasetId })).toMatchObject({ totalItems: 1 })
    }
    const { bavail, bsize } = statfsSync(folder)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - roomMib * mib))

    const body = new Blob([rowsOf(when)])
    // Asks until the import has ended, however long that takes.
    const send = () => importFile(client, datasetId, body, { format: 'ndjson', key: 'big' })
    const sent = refusal(send())
    // An import whose end cannot even be noted waits for room.
    await Promise.race([sent, log.first('an import failed')])
    await expectUnchanged()
    rmSync(ballast)
    expect(await sent).toEqual({ status: 507, code: 'STORAGE_FULL' })
    await expectUnchanged()

    // What was seen of the disk is good for a moment.
    const again = await untilDone(send, (error) => (error as ApiError).status === 507)
    expect(again).toMatchObject({ state: 'done', publishedRows: rowCount })
    expect(await client.datasetCount({ datasetId })).toMatchObject({ totalItems: rowCount + 1 })
  })
})
