// @module-tag whole
// @module-tag blobs

import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addItem, type ApiError } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFileBlobs } from '../src/blobs/files/files.ts'
import { emptyTrashOf } from '../src/blobs/maintain-blobs.ts'
import { isOnSqlite } from './test-database.ts'
import { refusal, sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'
import { mountSmallDisk } from './small-disk.ts'
import { isOnS3 } from './test-blobs.ts'
import { untilDone } from './until.ts'

const disk = isOnS3 ? undefined : mountSmallDisk(32)
const folder = disk?.folder ?? ''

const full = { status: 507, code: 'STORAGE_FULL' }

const file = (bytes: number) => new Blob([randomBytes(bytes)], { type: 'text/plain' })

/** Adds until there is no room; the items that were added. */
async function fill(next: () => Promise<number>): Promise<number[]> {
  const added: number[] = []
  for (;;) {
    try {
      added.push(await next())
    } catch (error) {
      expect(error).toMatchObject(full)
      return added
    }
  }
}

describe.skipIf(disk === undefined)('a full disk', () => {
  let server: TestServer

  beforeAll(async () => {
    const env = { VITRINE_DATA_DIR: folder, VITRINE_DELETED_DAYS: '0' }
    server = await startTestServer(env, { restarts: true })
    for (const name of ['files', 'more']) {
      await server.client.repoCreate({
        body: {
          name,
          schema: [
            { name: 'note', type: 'string', length: 100_000 },
            { name: 'file', type: 'binary', mime: 'text/plain', optional: true },
          ],
        },
      })
    }
  })

  afterAll(async () => {
    await server.close()
    disk!.unmount()
  })

  const add = (values: Parameters<typeof addItem>[2], repo = 'files') =>
    addItem(server.client, repo, values)

  /** Adds an item once what was deleted has gone from the trash, and made room for it. */
  const addInNewRoom: typeof add = (values, repo) =>
    untilDone(
      async () => {
        await server.upkeep()
        await emptyTrashOf(await openFileBlobs(join(folder, 'blobs')), -1)
        return add(values, repo)
      },
      (error) => (error as ApiError).status === full.status,
    )

  async function expectReadable(datasetId: string, ids: number[]): Promise<void> {
    const items = await server.client.datasetItemList({ datasetId, pageSize: 1000 })
    expect(items.map(({ id }) => id)).toEqual(ids)
    for (const itemId of ids) await server.client.datasetItemGet({ datasetId, itemId })
  }

  test.skipIf(isOnS3)('for blobs refuses new ones, while reads and deletes go on', async () => {
    const added = await fill(() => add({ note: 'kept', file: file(2_000_000) }))
    expect(added.length).toBeGreaterThan(3)
    expect(await refusal(add({ note: 'too much', file: file(9_000_000) }))).toEqual(full)
    expect(readdirSync(join(folder, 'blobs', 'tmp'))).toEqual([])
    await expectReadable('files', added)
    const [itemId = 0] = added
    const bytes = await server.client.datasetFieldGet({
      datasetId: 'files',
      itemId,
      fieldName: 'file',
    })
    expect(bytes.size).toBe(2_000_000)

    await server.client.repoDelete({ datasetId: 'files' })
    await addInNewRoom({ note: 'room again', file: file(2_000_000) }, 'more')
  })

  // With the database elsewhere, nothing of a text is written to this disk.
  test.runIf(isOnSqlite)('for texts refuses new ones, while reads and deletes go on', async () => {
    await server.client.repoDelete({ datasetId: 'more' })
    await server.client.repoCreate({
      body: { name: 'texts', schema: [{ name: 'note', type: 'string', length: 100_000 }] },
    })
    const added = await fill(() => add({ note: 'x'.repeat(100_000) }, 'texts'))
    expect(added.length).toBeGreaterThan(3)
    await expectReadable('texts', added)
    await server.client.repoDelete({ datasetId: 'texts' })
    const repos = await server.client.repoList({})
    expect(repos.map(({ name }) => name)).not.toContain('texts')
  })

  test.runIf(isOnSqlite)(
    'to the last byte still answers, and takes up its work when there is room',
    async () => {
      const datasetId = 'last'
      const schema = [{ name: 'note', type: 'string', length: 100_000 }]
      await server.client.repoCreate({ body: { name: datasetId, schema } })
      const before = await addInNewRoom({ note: 'before' }, datasetId)
      // From here on the log of the database has to grow for whatever is written.
      await server.restart()
      const { id } = await server.client.insertBegin({ datasetId })
      const note = 'x'.repeat(100_000)
      await server.client.insertFieldUpload({
        datasetId,
        itemId: id,
        fieldName: 'note',
        body: note,
      })
      const commit = () => {
        const integrity = { note: { sha256: sha256(note) } }
        return server.client.insertCommit({ datasetId, itemId: id, body: { integrity } })
      }

      const ballast = join(folder, 'ballast')
      expect(() => writeFileSync(ballast, Buffer.alloc(32 * 1024 ** 2))).toThrow('ENOSPC')
      expect(await refusal(commit())).toEqual(full)
      await expect.poll(() => refusal(add({ note: 'x' }, datasetId))).toEqual(full)
      await expectReadable(datasetId, [before])

      rmSync(ballast)
      expect(await commit()).toEqual({ id })
      await server.restart()
      await expectReadable(datasetId, [before, id])
    },
  )
})
