import { addItem, importFile } from '@vitrine/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Blobs } from '../src/blobs/blobs.ts'
import {
  approveCollection,
  emptyTrashOf,
  listTrash,
  restoreTrash,
} from '../src/blobs/maintain-blobs.ts'
import type { Store } from '../src/store/store.ts'
import { sha256 } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let store: Store
let blobs: Blobs

beforeEach(async () => {
  server = await startTestServer({ VITRINE_DELETED_DAYS: '0' }, { dropGraceMs: 0 })
  store = await server.database.open()
  blobs = await server.blobs.open()
  await createFiles()
})

afterEach(async () => {
  await store.close()
  await server.close()
})

const createFiles = () =>
  server.client.repoCreate({
    body: { name: 'files', schema: [{ name: 'file', type: 'binary', mime: 'text/plain' }] },
  })

const add = (text: string) =>
  addItem(server.client, 'files', { file: new Blob([text], { type: 'text/plain' }) })

const put = (text: string) => server.blobs.put(sha256(text), text)

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `file ${number}`)

async function trashed(): Promise<string[]> {
  const found: string[] = []
  for await (const { sha256: digest } of listTrash(blobs)) found.push(digest)
  return found.toSorted()
}

async function withheld(): Promise<number> {
  const text = await (await server.request('/metrics')).text()
  return Number(/^vitrine_blobs_withheld (\d+)$/m.exec(text)?.[1])
}

const hour = 3_600_000
const anHourOfGrace = { blobGraceMs: hour, orphanGraceMs: hour }

const letAnHourPass = () =>
  store.write(async (transaction) => {
    await transaction
      .updateTable('blob_sightings')
      .set((row) => ({ first_seen_at: row('first_seen_at', '-', hour) }))
      .execute()
  })

describe('collected bytes can be restored from the trash', () => {
  test('the grace of bytes without a row counts from when the database first saw them', async () => {
    await put('unknown')
    await server.upkeep(anHourOfGrace)
    await server.upkeep(anHourOfGrace)
    expect(await server.blobs.list()).toEqual([sha256('unknown')])
    await letAnHourPass()
    await server.upkeep(anHourOfGrace)
    expect(await server.blobs.list()).toEqual([])
    expect(await trashed()).toEqual([sha256('unknown')])
  })

  test('bytes that were missing for a while get a new grace period', async () => {
    await put('unknown')
    await server.upkeep(anHourOfGrace)
    await letAnHourPass()
    await blobs.remove(sha256('unknown'))
    await server.upkeep(anHourOfGrace)
    await put('unknown')
    await server.upkeep(anHourOfGrace)
    expect(await server.blobs.list()).toEqual([sha256('unknown')])
  })

  test('many bytes without a row stop the collection until a person approves it', async () => {
    await add('known')
    const texts = numbered(101)
    await Promise.all(texts.map(put))
    const before = await server.blobs.list()
    await server.upkeep()
    expect(await server.blobs.list()).toEqual(before)
    expect(await withheld()).toBe(101)

    expect(await approveCollection({ store, blobs })).toBe(101)
    await server.upkeep()
    expect(await server.blobs.list()).toEqual([sha256('known')])
    expect(await trashed()).toEqual(texts.map(sha256).toSorted())
    expect(await withheld()).toBe(0)

    const outcome = await restoreTrash({ store, blobs }, { wanted: 'all' })
    expect(outcome).toEqual({ restored: 101, damaged: [] })
    expect(await server.blobs.list()).toEqual(before)
    expect(await trashed()).toEqual([])
  })

  test('a hundred of them, or a twentieth, do not stop it', async () => {
    await Promise.all(numbered(100).map(put))
    await server.upkeep()
    expect(await withheld()).toBe(0)
    expect(await server.blobs.list()).toEqual([])
  })

  test('files of a deleted dataset go to the trash, however many', { tags: 'long' }, async () => {
    const texts = numbered(120)
    await Promise.all(texts.map(add))
    await server.client.repoDelete({ datasetId: 'files' })
    await expect.poll(() => server.upkeep().then(trashed)).toHaveLength(120)
    expect(await withheld()).toBe(0)
    expect(await server.blobs.list()).toEqual([])
  })

  test('bytes that an older state of the database collected are restored for the newer one', async () => {
    await add('kept')
    const newer = await add('newer than the backup')
    const rows = await store.reads.selectFrom('blobs').selectAll().execute()
    const references = await store.reads.selectFrom('blob_references').selectAll().execute()
    const digest = sha256('newer than the backup')
    // The database as it was when the backup was made does not know the second file.
    await store.write(async (transaction) => {
      await transaction.deleteFrom('blob_references').where('sha256', '=', digest).execute()
      await transaction.deleteFrom('blobs').where('sha256', '=', digest).execute()
    })
    await server.upkeep()
    expect(await trashed()).toEqual([digest])
    await store.write(async (transaction) => {
      const row = rows.find((one) => one.sha256 === digest)!
      await transaction.insertInto('blobs').values(row).execute()
      const held = references.filter((one) => one.sha256 === digest)
      await transaction.insertInto('blob_references').values(held).execute()
    })
    await server.upkeep()
    expect((await restoreTrash({ store, blobs }, { wanted: 'needed' })).restored).toBe(1)
    const reply = await server.request(`/api/dataset/files/item/${newer}/file`)
    expect(await reply.text()).toBe('newer than the backup')
  })

  test('bytes that are in the trash are published again by an upload', async () => {
    await put('again')
    await server.upkeep()
    const id = await add('again')
    expect(await (await server.request(`/api/dataset/files/item/${id}/file`)).text()).toBe('again')
    expect(await trashed()).toEqual([sha256('again')])
  })

  test('damaged bytes are not restored', async () => {
    await server.blobs.put(sha256('whole'), 'other')
    await server.upkeep()
    const { restored, damaged } = await restoreTrash({ store, blobs }, { wanted: 'all' })
    expect(restored).toBe(0)
    expect(damaged).toMatchObject([{ sha256: sha256('whole') }])
    expect(await server.blobs.list()).toEqual([])
  })

  test('bytes that an upload publishes again while they are collected are collected with them', async () => {
    const text = 'published twice'
    const blob = { sha256: sha256(text), size: text.length }
    async function* bytes() {
      yield Buffer.from(text)
    }
    const received = await blobs.receive(bytes(), { maxBytes: 100 })
    await received.publish()
    await blobs.trash.put(blob, '2026-11-22')
    // Nobody has dropped its row yet: an upload that meets it tries again, with the same file.
    await received.publish()
    await blobs.trash.put(blob, '2026-11-22')
    await received.discard()
    expect(await server.blobs.list()).toEqual([])
    expect(await trashed()).toEqual([blob.sha256])
  })

  test('the trash is emptied of what is older than thirty days', async () => {
    for (const text of ['old', 'new']) await put(text)
    await blobs.trash.put({ sha256: sha256('old'), size: 3 }, '2020-01-01')
    await server.upkeep()
    expect(await trashed()).toEqual([sha256('new')])
    expect(await emptyTrashOf(blobs, 0)).toEqual([])
    expect(await emptyTrashOf(blobs, -1)).toHaveLength(1)
    expect(await trashed()).toEqual([])
  })
})

test(
  'the file of an import goes with the next collection, and without the trash',
  { tags: 'long' },
  async () => {
    const schema = [{ name: 'text', type: 'string', length: 20 }]
    await server.client.repoCreate({ body: { name: 'texts', schema } })
    await add('held')
    const csv = new Blob(['text\none\ntwo\n'])
    const { state } = await importFile(server.client, 'texts', csv, { format: 'csv', key: 'a' })
    expect(state).toBe('done')
    expect((await server.blobs.list()).length).toBeGreaterThan(1)
    await server.upkeep(anHourOfGrace)
    expect(await server.blobs.list()).toEqual([sha256('held')])
    expect(await trashed()).toEqual([])

    // The same bytes as a value are kept, though an import used them first.
    const again = importFile(server.client, 'texts', csv, { format: 'csv', key: 'b' })
    expect((await again).state).toBe('done')
    await add('text\none\ntwo\n')
    await server.upkeep(anHourOfGrace)
    expect(await server.blobs.list()).toEqual(
      [sha256('held'), sha256('text\none\ntwo\n')].toSorted(),
    )

    // Such a value has its grace and the trash like others.
    await server.client.repoDelete({ datasetId: 'files' })
    await server.upkeep(anHourOfGrace)
    expect(await trashed()).toEqual([])
    // What the deleted items said of them is removed in the background.
    await expect
      .poll(() => server.upkeep({ blobGraceMs: 0 }).then(trashed))
      .toEqual([sha256('held'), sha256('text\none\ntwo\n')].toSorted())
  },
)
