// @module-tag engines

import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sweepDeleted } from '../src/datasets/remove-deleted.ts'
import { startDeletedServer, type DeletedServer } from './deleted-server.ts'
import { title } from './people-server.ts'
import { png } from './png.ts'
import { startTestServer } from './server.ts'

const day = 24 * 60 * 60_000

let here: DeletedServer

beforeEach(async () => {
  here = await startDeletedServer()
})
afterEach(() => here.server.close())

test('a deleted repository is hidden, and restored with its items and log unchanged', async () => {
  const { server, client, grace, remove, find, restore, items, check, acts, fill } = here
  await fill('photos', grace)
  const before = {
    info: await client.datasetGet({ datasetId: 'photos' }),
    items: await items('photos'),
    log: await (await client.logCheckpoint({ datasetId: 'photos' })).text(),
  }
  await remove('photos', grace)
  for (const gone of [
    () => client.datasetGet({ datasetId: 'photos' }),
    () => client.datasetItemList({ datasetId: 'photos' }),
    () => client.datasetCount({ datasetId: 'photos' }),
    () => client.repoDelete({ datasetId: 'photos' }),
    () => client.insertBegin({ datasetId: 'photos' }),
  ]) {
    await expect(gone()).rejects.toMatchObject({ status: 404 })
  }
  expect(await client.datasetList({})).toEqual([])
  expect(await client.repoList({})).toEqual([])
  expect(await (await server.request('/metrics')).text()).toContain('vitrine_items_committed 0')

  const deleted = await find('photos', grace)
  expect(deleted).toEqual({
    id: 1,
    name: 'photos',
    kind: 'repo',
    items: 2,
    createdAt: before.info.createdAt,
    deletedAt: expect.any(String) as string,
    deletedBy: { subject: 'grace' },
    removedAt: new Date(Date.parse(deleted.deletedAt) + 30 * day).toISOString(),
    needs: [],
  })
  await server.upkeep({})
  expect(await server.blobs.list()).toHaveLength(1)
  expect(await check()).toEqual([])

  expect(await restore('photos', {}, grace)).toEqual(before.info)
  expect(await grace.deletedList({})).toEqual([])
  expect(await items('photos')).toEqual(before.items)
  expect(await (await client.logCheckpoint({ datasetId: 'photos' })).text()).toBe(before.log)
  expect(
    await (
      await client.datasetFieldGet({ datasetId: 'photos', itemId: 1, fieldName: 'image' })
    ).bytes(),
  ).toEqual(new Uint8Array(png))
  expect(await addItem(grace, 'photos', { title: 'third' })).toBe(3)
  expect(await check()).toEqual([])
  expect((await acts()).slice(0, 2)).toEqual([
    ['dataset-restored', 'grace', 'photos'],
    ['dataset-deleted', 'grace', 'photos'],
  ])
  const { changes } = await client.datasetProvenance({ datasetId: 'photos' })
  expect(changes!.map(({ what }) => what)).toEqual(['dataset-restored', 'dataset-deleted'])
})

test('a deleted dataset can be restored by who deleted it or an administrator, and by no stranger', async () => {
  const { server, client, grace, clientOf, remove, find, fill } = here
  await fill()
  await remove('photos', grace)
  const ada = await clientOf('ada')
  expect(await ada.deletedList({})).toEqual([])
  const { id: deletedId } = await find('photos')
  const refused = { status: 404, code: 'DELETED_NOT_FOUND', message: 'deleted dataset not found' }
  await expect(ada.deletedRestore({ deletedId, body: {} })).rejects.toMatchObject(refused)
  await expect(ada.deletedRemove({ deletedId })).rejects.toMatchObject(refused)
  await expect(client.deletedRemove({ deletedId: 99 })).rejects.toMatchObject(refused)
  const unreadable = await server.request('/api/deleted/first', { method: 'DELETE' })
  expect(unreadable.status).toBe(404)
  expect(await unreadable.json()).toMatchObject({ code: 'DELETED_NOT_FOUND' })
  await client.deletedRestore({ deletedId, body: {} })
  await expect(grace.deletedRestore({ deletedId, body: {} })).rejects.toMatchObject(refused)
})

test('after 30 days it is removed for good: rows, files, log and listing', async () => {
  const { server, client, view, remove, pass, count, itemTables, check, acts, fill } = here
  await fill()
  await client.logCheckpoint({ datasetId: 'photos' })
  await view('sorted', 'photos', { order: 'title' })
  await remove('sorted')
  await remove('photos')
  await pass(30 * day - 60_000)
  await server.upkeep({})
  expect(await client.deletedList({})).toHaveLength(2)
  await pass(60_000)
  await server.upkeep({})
  expect(await client.deletedList({})).toEqual([])
  expect((await acts()).slice(0, 2)).toEqual([
    ['dataset-removed', undefined, 'photos'],
    ['dataset-removed', undefined, 'sorted'],
  ])
  await expect.poll(() => count('dropped_repos')).toBe(0)
  expect(await itemTables()).toEqual([])
  expect(await count('blob_references')).toBe(0)
  await server.upkeep({})
  expect(await server.blobs.list()).toEqual([])
  expect(await check()).toEqual([])
})

test('it can be removed for good before', async () => {
  const { grace, remove, find, count, itemTables, acts, fill } = here
  await fill()
  await remove('photos', grace)
  const { id: deletedId } = await find('photos', grace)
  await grace.deletedRemove({ deletedId })
  await expect.poll(() => count('dropped_repos')).toBe(0)
  expect(await itemTables()).toEqual([])
  expect((await acts())[0]).toEqual(['dataset-removed', 'grace', 'photos'])
})

test('a sweep keeps a deleted base until the deleted view that refers to it is removed', async () => {
  const { server, client, view, remove, pass, fill } = here
  await fill()
  await view('all', 'photos')
  await remove('all')
  await pass(-day)
  await remove('photos')
  await pass(30 * day)
  await server.upkeep({})
  expect((await client.deletedList({})).map(({ name }) => name)).toEqual(['all', 'photos'])
  await pass(day)
  await server.upkeep({})
  expect(await client.deletedList({})).toEqual([])
})

test('only one of several concurrent sweeps removes a dataset', async () => {
  const { server, remove, pass, acts, fill } = here
  await fill()
  await remove('photos')
  await pass(30 * day)
  await server.database.use((other) =>
    Promise.all([server.upkeep({}), ...[1, 2, 3].map(() => sweepDeleted(other, 30 * day))]),
  )
  expect((await acts()).filter(([what]) => what === 'dataset-removed')).toHaveLength(1)
})

test('damage in what rests is told', async () => {
  const { server, remove, check, fill } = here
  await fill()
  await remove('photos')
  await server.database.use(({ write }) =>
    write((transaction) =>
      sql`update items_1 set f0 = 'forged' where position = 1`.execute(transaction),
    ),
  )
  expect(await check()).toEqual([
    { kind: 'damage', where: 'photos (deleted)/2', what: 'title is not what was sealed' },
  ])
})

test('several of one name are told apart, page by page', async () => {
  const { client, create, remove, items } = here
  for (const words of ['a', 'b', 'c']) {
    await create('words', [title])
    await addItem(client, 'words', { title: words })
    await remove('words')
  }
  const { length } = await client.deletedList({ name: 'words' })
  expect(length).toBe(3)
  const [, second] = await client.deletedList({ pageSize: 2 })
  expect(await client.deletedList({ pageSize: 2, page: 1 })).toHaveLength(1)
  await client.deletedRestore({ deletedId: second!.id, body: {} })
  expect((await items('words')).map(({ data }) => data['title'])).toEqual(['b'])
})

describe('with no time to rest', () => {
  test('a deleted dataset is removed at once, and the feature is not announced', async () => {
    const other = await startTestServer({ VITRINE_DELETED_DAYS: '0' }, { dropGraceMs: 0 })
    try {
      const schema = [title]
      await other.client.repoCreate({ body: { name: 'words', schema } })
      await other.client.repoDelete({ datasetId: 'words' })
      expect(await other.client.deletedList({})).toEqual([])
      const { features } = (await (await fetch(`${other.url}/config.json`)).json()) as {
        features: string[]
      }
      expect(features).not.toContain('deleted')
    } finally {
      await other.close()
    }
  })
})
