// @module-tag engines

import { addItem } from '@vitrine/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endImports } from '../src/datasets/delete-dataset.ts'
import { layAside } from '../src/store/deleted-datasets.ts'
import { startDeletedServer, type DeletedServer } from './deleted-server.ts'
import { image, title } from './people-server.ts'
import type { Transaction } from '../src/store/store.ts'

let here: DeletedServer

beforeEach(async () => {
  here = await startDeletedServer()
})
afterEach(() => here.server.close())

test('a name that was taken meanwhile stays with the other, and another one is asked for', async () => {
  const { client, create, remove, restore, items, check, acts } = here
  await create('tree', [
    title,
    { name: 'parent', type: 'reference', target: 'tree', optional: true },
  ])
  await addItem(client, 'tree', { title: 'root' })
  await addItem(client, 'tree', { title: 'leaf', parent: 1 })
  await remove('tree')
  await create('tree', [title])
  await expect(restore('tree')).rejects.toMatchObject({
    status: 409,
    code: 'DELETED_NAME_TAKEN',
    body: { details: { problems: [{ path: ['name'] }] } },
  })
  await expect(restore('tree', { name: 'no name' })).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    body: { details: { problems: [{ path: ['name'] }] } },
  })
  const { name, schema, repo, referencesTo } = await restore('tree', { name: 'old-tree' })
  expect({ name, referencesTo }).toEqual({ name: 'old-tree', referencesTo: ['old-tree'] })
  expect(schema[1]).toMatchObject({ target: 'old-tree' })
  expect(repo).toMatchObject({ name: 'old-tree' })
  expect((await items('old-tree')).map(({ data }) => data['title'])).toEqual(['root', 'leaf'])
  expect(await items('tree')).toEqual([])
  await addItem(client, 'old-tree', { title: 'another leaf', parent: 2 })
  await expect(addItem(client, 'old-tree', { title: 'lost', parent: 9 })).rejects.toThrow()
  expect(await check()).toEqual([])
  expect((await acts())[0]).toEqual([
    'dataset-restored',
    'alice',
    'old-tree',
    { 'deleted as': 'tree' },
  ])
})

test('datasets are restored after those that they are based on, and purged before them', async () => {
  const { client, create, view, remove, find, restore, items, check, fill } = here
  await fill()
  await create('tags', [title, { name: 'photo', type: 'reference', target: 'photos' }])
  await addItem(client, 'tags', { title: 'red', photo: 1 })
  await view('named', 'photos@1', { where: { title: { eq: 'first' } }, order: 'title' })
  await view('tagged', 'tags', { fields: ['title', { name: 'of', from: 'photo.title' }] })
  for (const name of ['tagged', 'named', 'tags', 'photos']) await remove(name)
  const needs = async () =>
    Object.fromEntries((await client.deletedList({})).map((each) => [each.name, each.needs]))
  expect(await needs()).toEqual({
    photos: [],
    tags: ['photos'],
    named: ['photos'],
    tagged: ['photos', 'tags'],
  })
  await expect(restore('tagged')).rejects.toMatchObject({
    status: 409,
    code: 'DELETED_NEEDS_OTHERS',
    body: { details: { needs: ['photos', 'tags'] } },
  })
  await expect(
    client.deletedRemove({ deletedId: (await find('photos')).id }),
  ).rejects.toMatchObject({
    code: 'DATASET_REFERENCED',
    body: { details: { referencedBy: ['named', 'tagged', 'tags'] } },
  })
  expect(await check()).toEqual([])

  await restore('photos', { name: 'pictures' })
  await fill('photos')
  expect(await needs()).toEqual({ tags: [], named: [], tagged: ['tags'] })
  expect((await restore('tags')).schema[1]).toMatchObject({ target: 'pictures' })
  expect((await restore('named')).view).toMatchObject({ base: 'pictures@1' })
  expect((await restore('tagged')).referencesTo).toEqual(['pictures', 'tags'])
  expect((await items('named')).map(({ data }) => data['title'])).toEqual(['first'])
  expect((await items('tagged')).map(({ data }) => data)).toEqual([{ title: 'red', of: 'first' }])
  await expect(client.repoDelete({ datasetId: 'pictures' })).rejects.toMatchObject({
    code: 'DATASET_REFERENCED',
  })
  expect(await check()).toEqual([])
})

test('a view whose base was extended while it rested has what the base has now', async () => {
  const { client, view, remove, restore, items, fill } = here
  await fill()
  await view('sorted', 'photos', { order: '-title' })
  expect(await items('sorted')).toHaveLength(2)
  await remove('sorted')
  await client.repoExtend({
    datasetId: 'photos',
    body: {
      name: 'photos',
      schema: [
        { ...title, optional: true },
        { ...image, optional: true },
        { name: 'size', type: 'integer', optional: true },
      ],
    },
  })
  await addItem(client, 'photos', { size: 3 })
  const { schema } = await restore('sorted')
  expect(schema.map(({ name }) => name)).toEqual(['title', 'image', 'size'])
  expect(new Set((await items('sorted')).map(({ id }) => id))).toEqual(new Set([1, 2, 3]))
})

test('an import that a deletion ends leaves nothing, and nothing of it goes on afterwards', async () => {
  const { server, client, restore, items, check, fill } = here
  await fill()
  // Of the second item an import says that it is still publishing it.
  const publish = (transaction: Transaction) =>
    transaction
      .insertInto('imports')
      .values({
        dataset_id: 1,
        key: 'cut-short',
        state: 'publishing',
        options: JSON.stringify({ format: 'ndjson', mode: 'strict' }),
        created_at: 1,
        created_by: 'issuer somebody',
        touched_at: 1,
        rows: 1,
        published_rows: 1,
        first_position: 1,
        first_item_id: 2,
        items_created_at: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  await server.database.use(async (store) => {
    await store.write(async (transaction) => {
      const { id } = await publish(transaction)
      await transaction
        .updateTable('datasets')
        .set({ next_position: 1, publishing_import: id })
        .execute()
      await layAside(transaction, 1, 'issuer somebody')
      await transaction.deleteFrom('datasets').execute()
      await endImports(transaction, 1)
    })
    const imports = await store.reads.selectFrom('imports').selectAll().execute()
    expect(imports.map(({ state, error }) => [state, JSON.parse(error!)])).toEqual([
      [
        'failed',
        { code: 'REPO_NOT_FOUND', message: 'repo not found', details: { importKey: 'cut-short' } },
      ],
    ])
  })
  await restore('photos')
  expect((await items('photos')).map(({ id }) => id)).toEqual([1])
  expect(await addItem(client, 'photos', { title: 'third' })).toBe(3)
  expect((await items('photos')).map(({ id }) => id)).toEqual([1, 3])
  expect(await check()).toEqual([])
})
