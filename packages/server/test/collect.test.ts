// @module-tag engines

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Store } from '../src/store/store.ts'
import { startTestServer, type TestServer } from './server.ts'
import { until } from './until.ts'

let server: TestServer
let store: Store

beforeAll(async () => {
  server = await startTestServer()
  store = await server.database.open()
  await server.client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })
})

beforeEach(async () => {
  await expireAll()
  await server.upkeep()
})

afterAll(async () => {
  await store.close()
  await server.close()
})

const datasetId = 'files'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The digests of all blobs, and those of all rows. */
const kept = async () => ({
  blobs: await server.blobs.list(),
  rows: (await store.reads.selectFrom('blobs').select('sha256').execute())
    .map(({ sha256: digest }) => digest)
    .toSorted(),
})
const both = (...texts: string[]) => {
  const digests = texts.map(sha256).toSorted()
  return { blobs: digests, rows: digests }
}

const expireAll = () =>
  store.write((transaction) =>
    transaction
      .updateTable('inserts')
      .set({ expires_at: Date.now() - 1 })
      .execute(),
  )

const insertMarked = (...texts: string[]) =>
  store.write((transaction) =>
    transaction
      .insertInto('blobs')
      .values(
        texts.map((text) => ({
          sha256: sha256(text),
          size: text.length,
          created_at: 1,
          state: 'deleting' as const,
        })),
      )
      .execute(),
  )

async function upload(text: string, id?: number): Promise<number> {
  const itemId = id ?? (await server.client.insertBegin({ datasetId })).id
  const body = new FormData()
  body.append('file', new Blob([text], { type: 'text/plain' }))
  await server.client.insertUpload({ datasetId, itemId, body })
  return itemId
}

const commit = (itemId: number, text: string) =>
  server.client.insertCommit({
    datasetId,
    itemId,
    body: { integrity: { file: { sha256: sha256(text) } } },
  })

test('keeps what an item holds or an insert leases, and nothing else', async () => {
  const committed = await upload('committed')
  await commit(committed, 'committed')
  const open = await upload('first')
  await upload('second', open)
  expect(await kept()).toEqual(both('committed', 'first', 'second'))
  await server.upkeep()
  expect(await kept()).toEqual(both('committed', 'second'))
  await commit(open, 'second')
  await expireAll()
  await server.upkeep()
  expect(await kept()).toEqual(both('committed', 'second'))
})

test('an expired insert gives up its leases, and is told from an unknown one for a while', async () => {
  const id = await upload('lapsed')
  await expireAll()
  const before = await kept()
  expect(before.blobs).toContain(sha256('lapsed'))
  const expired = { status: 404, code: 'INSERT_EXPIRED' }
  await expect(upload('late', id)).rejects.toMatchObject(expired)
  await expect(commit(id, 'lapsed')).rejects.toMatchObject(expired)
  await server.upkeep({ blobGraceMs: 0 })
  expect((await kept()).blobs).not.toContain(sha256('lapsed'))
  await expect(commit(id, 'lapsed')).rejects.toMatchObject(expired)
  await server.upkeep()
  await expect(commit(id, 'lapsed')).rejects.toMatchObject({
    status: 404,
    code: 'REPO_OR_ITEM_NOT_FOUND',
  })
})

test('leaves alone what is younger than its grace', async () => {
  await upload('young')
  await expireAll()
  await server.upkeep({ blobGraceMs: 60_000 })
  expect((await kept()).blobs).toContain(sha256('young'))
})

test('finishes what a crash left half done', async () => {
  const before = await kept()
  const orphan = 'bytes without a row'
  await server.blobs.put(sha256(orphan), orphan)
  const marked = 'marked, and still there'
  await server.blobs.put(sha256(marked), marked)
  const gone = 'marked, and gone'
  await insertMarked(marked, gone)
  await server.upkeep()
  expect(await kept()).toEqual(before)
})

test('an upload that meets a marked blob waits, and publishes its bytes again', async () => {
  const text = 'wanted after all'
  await insertMarked(text)
  const uploading = upload(text)
  const isThere = async () => (await server.blobs.list()).includes(sha256(text))
  const waits = async () => {
    await until(isThere)
    const blobs = await server.blobs.open()
    await blobs.remove(sha256(text))
    // It is not done: it tries again.
    await until(isThere)
    return 'waits'
  }
  expect(await Promise.race([uploading, waits()])).toBe('waits')
  await server.upkeep()
  await commit(await uploading, text)
  await server.upkeep()
  expect((await kept()).blobs).toContain(sha256(text))
})

test('never takes the bytes of an upload of equal content', { tags: 'long' }, async () => {
  const texts = ['same', 'equal', 'alike']
  const committed = new Set<string>()
  // What a writer uploads takes the place of what it uploaded before, which nobody may hold then.
  const collection = { removed: 0 }
  const write = async (writer: number) => {
    let id = await upload('begun')
    // On until something was collected under the writers' hands; the bound is for a collection that is broken.
    for (let round = 0; round < 40 || (collection.removed === 0 && round < 4000); round += 1) {
      const text = `${texts[(writer + round) % texts.length]} ${round % 7}`
      await upload(text, id)
      if (round % 8 !== 7) continue
      await commit(id, text)
      committed.add(text)
      id = await upload('begun')
    }
  }
  const writing = new AbortController()
  const collect = async () => {
    while (!writing.signal.aborted) collection.removed += await server.upkeep()
  }
  const collecting = collect()
  try {
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
  } finally {
    writing.abort()
  }
  await collecting
  expect(collection.removed).toBeGreaterThan(0)
  await expireAll()
  await server.upkeep()
  const { blobs, rows } = await kept()
  expect(blobs).toEqual(rows)
  expect(blobs).toEqual(expect.arrayContaining([...committed].map(sha256)))
})
