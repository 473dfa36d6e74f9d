import { createHash } from 'node:crypto'
import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest('hex')

beforeAll(async () => {
  server = await startTestServer({}, { restarts: true })
  const { client } = server
  await client.repoCreate({
    body: { name: 'people', schema: [{ name: 'name', type: 'string' }] },
  })
  for (let index = 0; index < 45; index += 1) {
    await addItem(client, 'people', { name: `person ${index}` })
  }
  await client.repoCreate({
    body: {
      name: 'photos',
      schema: [
        { name: 'notes', type: 'string', optional: true },
        { name: 'title', type: 'string' },
        { name: 'image', type: 'binary', mime: 'image/*' },
        { name: 'taken_by', type: 'reference', target: 'people' },
        { name: 'constructor', type: 'string', optional: true },
      ],
    },
  })
  await addItem(client, 'photos', {
    title: 'Tūī 😀',
    image: new Blob([png], { type: 'image/png' }),
    taken_by: 3,
    constructor: 'a word',
  })
})

afterAll(() => server.close())

const idsOf = async (input: { page?: number; pageSize?: number }) =>
  (await server.client.datasetItemList({ datasetId: 'people', ...input })).map(({ id }) => id)

describe('pages of items', () => {
  test('the first, the middle and the last', async () => {
    const all = await idsOf({ pageSize: 1000 })
    expect(all).toHaveLength(45)
    expect(all).toEqual(all.toSorted((a, b) => a - b))
    expect(await idsOf({})).toEqual(all.slice(0, 20))
    expect(await idsOf({ page: 1 })).toEqual(all.slice(20, 40))
    expect(await idsOf({ page: 2 })).toEqual(all.slice(40))
    expect(await idsOf({ page: 3 })).toEqual([])
    expect(await idsOf({ page: 6, pageSize: 7 })).toEqual(all.slice(42))
  })

  test('an id that was given to an abandoned insert leaves no gap in a page', async () => {
    await server.client.insertBegin({ datasetId: 'people' })
    const id = await addItem(server.client, 'people', { name: 'after the gap' })
    expect(await server.client.datasetCount({ datasetId: 'people' })).toEqual({ totalItems: 46 })
    expect(await idsOf({ page: 45, pageSize: 1 })).toEqual([id])
  })

  test('entries are id and data', async () => {
    const [photo] = await server.client.datasetItemList({ datasetId: 'photos' })
    expect(photo).toEqual({
      id: 1,
      data: { title: 'Tūī 😀', image: sha256(png), taken_by: 3, constructor: 'a word' },
    })
  })
})

test('one item comes with the seal of each value', async () => {
  const photo = await server.client.datasetItemGet({ datasetId: 'photos', itemId: 1 })
  expect(photo.integrity).toEqual({
    title: { sha256: sha256('Tūī 😀'), size: 10 },
    image: { sha256: sha256(png), size: png.length, mime: 'image/png' },
    taken_by: { sha256: sha256('3'), size: 1 },
    constructor: { sha256: sha256('a word'), size: 6 },
  })
  expect(new Date(photo.createdAt!).toISOString()).toBe(photo.createdAt)
})

test('an unknown dataset or item is refused with its error code', async () => {
  const { client } = server
  const gone = [
    [() => client.datasetItemGet({ datasetId: 'none', itemId: 1 }), 'DATASET_NOT_FOUND'],
    [() => client.datasetItemGet({ datasetId: 'photos', itemId: 2 }), 'DATASET_OR_ITEM_NOT_FOUND'],
    [() => client.datasetItemList({ datasetId: 'none' }), 'DATASET_OR_ITEM_NOT_FOUND'],
    [() => client.datasetCount({ datasetId: 'none' }), 'DATASET_NOT_FOUND'],
  ] as const
  for (const [call, code] of gone) await expect(call()).rejects.toMatchObject({ code })
})

test('items survive a restart', async () => {
  const before = await server.client.datasetItemGet({ datasetId: 'photos', itemId: 1 })
  await server.restart()
  expect(await server.client.datasetItemGet({ datasetId: 'photos', itemId: 1 })).toEqual(before)
})
