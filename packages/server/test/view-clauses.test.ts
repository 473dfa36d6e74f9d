import { addItem } from '@vitrine/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, sha256 } from './photos.ts'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({}, { restarts: true })
  const { client } = server
  await client.repoCreate({
    body: {
      name: 'people',
      schema: [
        { name: 'name', type: 'string', length: 80 },
        { name: 'country', type: 'string', length: 2, optional: true },
        { name: 'portrait', type: 'binary', mime: 'image/png', optional: true },
      ],
    },
  })
  await client.repoCreate({
    body: {
      name: 'photos',
      schema: [
        { name: 'title', type: 'string', length: 120 },
        { name: 'taken_by', type: 'reference', target: 'people' },
      ],
    },
  })
  const portrait = new Blob([png], { type: 'image/png' })
  await addItem(client, 'people', { name: 'Ana', country: 'NZ', portrait })
  await addItem(client, 'people', { name: 'Bo' })
  for (const [title, by] of [
    ['Tabby', 1],
    ['Hauptstraße', 2],
    ['A black cat', 1],
    ['Tabby cat', 2],
  ] as const) {
    await addItem(client, 'photos', { title, taken_by: by })
  }
})

afterAll(() => server.close())

const create = (name: string, description: object) =>
  server.client.viewCreate({ body: { name, base: 'photos', ...description } })

async function idsOf(datasetId: string, query: { page?: number; pageSize?: number } = {}) {
  const items = await server.client.datasetItemList({ datasetId, ...query })
  return items.map(({ id }) => id)
}

const countOf = async (datasetId: string) =>
  (await server.client.datasetCount({ datasetId })).totalItems

test('a view keeps what its conditions hold of, and every item from the moment it is committed', async () => {
  const { client } = server
  await create('cats', { where: { title: { icontains: 'CAT' } } })
  await create('cats-by-title', { base: 'cats', order: 'title' })
  await create('first-cat', { base: 'cats-by-title', limit: 1 })
  expect(await idsOf('cats')).toEqual([3, 4])
  expect(await idsOf('cats-by-title')).toEqual([3, 4])
  for (const title of ['Another cat', 'No dog', '3 cats']) {
    const id = await addItem(client, 'photos', { title, taken_by: 1 })
    expect((await idsOf('cats')).includes(id)).toBe(title !== 'No dog')
    expect(await countOf('cats-by-title')).toBe((await idsOf('cats')).length)
  }
  expect(await idsOf('cats-by-title')).toEqual([7, 3, 5, 4])
  expect(await idsOf('cats-by-title', { page: 1, pageSize: 3 })).toEqual([4])
  expect(await idsOf('first-cat')).toEqual([7])
  expect(await countOf('first-cat')).toBe(1)
})

test('an item of the base that is not in the view is not there', async () => {
  const { client } = server
  await create('german', { where: { title: { icontains: 'strasse' } } })
  expect((await client.datasetItemGet({ datasetId: 'german', itemId: 2 })).data).toEqual({
    title: 'Hauptstraße',
    taken_by: 2,
  })
  for (const itemId of [1, 99]) {
    await expect(client.datasetItemGet({ datasetId: 'german', itemId })).rejects.toMatchObject({
      code: 'DATASET_OR_ITEM_NOT_FOUND',
    })
  }
  const value = (itemId: number, fieldName: string) =>
    client.datasetFieldGet({ datasetId: 'german', itemId, fieldName })
  expect(await (await value(2, 'title')).text()).toBe('Hauptstraße')
  await expect(value(1, 'title')).rejects.toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  await expect(value(2, 'notes')).rejects.toMatchObject({ code: 'FIELD_NOT_IN_SCHEMA' })
})

test('a followed field has the value, the seal and the bytes of its target', async () => {
  const { client } = server
  const info = await create('shown', {
    where: { title: { starts_with: 'Tabby' } },
    fields: [
      { name: 'who', from: 'taken_by.name' },
      { name: 'face', from: 'taken_by.portrait' },
    ],
  })
  expect(info).toMatchObject({
    schema: [
      { name: 'who', type: 'string', length: 80 },
      { name: 'face', type: 'binary', mime: 'image/png', optional: true },
    ],
    referencesTo: ['people', 'photos'],
  })
  expect(await client.datasetItemList({ datasetId: 'shown' })).toEqual([
    { id: 1, data: { who: 'Ana', face: sha256(png) } },
    { id: 4, data: { who: 'Bo' } },
  ])
  const { integrity } = await client.datasetItemGet({ datasetId: 'shown', itemId: 1 })
  expect(integrity).toEqual({
    who: { sha256: sha256('Ana'), size: 3 },
    face: { sha256: sha256(png), size: png.length, mime: 'image/png' },
  })
  const face = await client.datasetFieldGet({ datasetId: 'shown', itemId: 1, fieldName: 'face' })
  expect(Buffer.from(await face.arrayBuffer())).toEqual(Buffer.from(png))
  await expect(
    client.datasetFieldGet({ datasetId: 'shown', itemId: 4, fieldName: 'face' }),
  ).rejects.toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  await expect(client.repoDelete({ datasetId: 'people' })).rejects.toMatchObject({
    code: 'DATASET_REFERENCED',
    body: { details: { referencedBy: expect.arrayContaining(['shown']) } },
  })
})

test('a reference to a view takes its items alone, those committed just now included', async () => {
  const { client } = server
  await client.viewCreate({
    body: { name: 'kiwis', base: 'people', where: { country: { eq: 'NZ' } }, order: 'name' },
  })
  await client.repoCreate({
    body: { name: 'visits', schema: [{ name: 'of', type: 'reference', target: 'kiwis' }] },
  })
  const cleo = await addItem(client, 'people', { name: 'Cleo', country: 'NZ' })
  for (const of of [1, cleo]) await addItem(client, 'visits', { of })
  for (const of of [2, 99]) {
    expect(await refusal(addItem(client, 'visits', { of }))).toEqual({
      status: 422,
      code: 'DATA_NOT_CONFORMING',
      problems: [`of: there is no item ${of} in "kiwis"`],
    })
  }
  expect(await countOf('visits')).toBe(2)
})

test('the same again is compared in canonical form, without its words', async () => {
  const written = { where: { taken_by: { eq: 1 }, title: { length: 5 } }, order: 'title' }
  const first = await create('canonical', { ...written, description: 'some' })
  const again = await server.request('/api/view', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      order: ['title'],
      where: { title: { length: { eq: 5 } }, taken_by: { eq: 1 } },
      description: 'other words',
      base: 'photos',
      name: 'canonical',
    }),
  })
  expect(again.status).toBe(200)
  expect(await again.json()).toEqual(first)
  await expect(create('canonical', { ...written, order: '-title' })).rejects.toMatchObject({
    code: 'VIEW_NAME_TAKEN',
    body: { view: first.view },
  })
})

describe('a view that makes no sense is refused where it makes none', () => {
  test.for([
    [{ base: 'photo' }, ['base'], 'photos'],
    [{ fields: ['titel'] }, ['fields', 0], 'title'],
    [{ fields: [{ name: 'x', from: 'taken_by.nam' }] }, ['fields', 0, 'from'], 'taken_by.name'],
    [{ where: { titel: { eq: 'x' } } }, ['where', 'titel'], 'title'],
    [{ where: { title: { contain: 'x' } } }, ['where', 'title', 'contain'], 'contains'],
    [{ where: { title: 'x' } }, ['where', 'title'], undefined],
    [{ where: { any: [{ taken_by: { eq: '1' } }] } }, ['where', 'any', 0, 'taken_by', 'eq']],
    [{ where: { 'title.name': { eq: 'x' } } }, ['where', 'title.name'], 'title'],
    [{ order: ['title', '-tilte'] }, ['order', 1], 'title'],
    [{ limit: 0 }, ['limit'], undefined],
    [{ split: { parts: { a: 1 }, take: 'b' } }, ['split', 'take'], 'a'],
    [{ base: 'bad' }, ['base'], undefined],
    [{ wher: {} }, ['wher'], 'where'],
    [{ where: { al: [{ title: { eq: 'x' } }] } }, ['where', 'al'], 'all'],
    [{ where: { or: [{ title: { eq: 'x' } }] } }, ['where', 'or'], 'any'],
    [{ filter: { title: { eq: 'x' } } }, ['filter'], 'where'],
    [{ description: 'a\u0000' }, ['description'], undefined],
  ] as const)('%j', async ([description, path, nearest]) => {
    for (const call of ['viewCreate', 'viewPreview'] as const) {
      const body = { name: 'bad', base: 'photos', ...description }
      await expect(server.client[call]({ body })).rejects.toMatchObject({
        status: 400,
        code: 'REQUEST_INVALID',
        body: { details: { problems: [{ path, ...(nearest && { nearest }) }] } },
      })
    }
    await expect(server.client.datasetGet({ datasetId: 'bad' })).rejects.toMatchObject({
      code: 'DATASET_NOT_FOUND',
    })
  })
})

test('a filter by createdAt that a preview accepts is accepted by a create too', async () => {
  const between = ['2026-01-01T00:00:20Z', '2026-01-01T00:00:20.550Z']
  const body = { name: 'of-a-moment', base: 'photos', where: { createdAt: { between } } }
  expect(await server.client.viewPreview({ body })).toMatchObject({ totalItems: 0 })
  expect(await server.client.viewCreate({ body })).toMatchObject({ name: 'of-a-moment' })
})

test('a view from before a rule of descriptions is still read', async () => {
  const where = { title: { eq: 'x'.repeat(121) } }
  await create('older', { where: { title: { eq: 'Tabby' } } })
  // Its items are known before its description is another.
  expect(await countOf('older')).toBe(1)
  await server.database.use(({ write }) =>
    write(async (transaction) => {
      const description = 'with a \u0000'
      const definition = JSON.stringify({ name: 'older', base: 'photos', description, where })
      await transaction
        .updateTable('datasets')
        .set({ definition })
        .where('name', '=', 'older')
        .execute()
    }),
  )
  await server.restart()
  expect(await countOf('older')).toBe(1)
  await server.client.viewDelete({ datasetId: 'older' })
  await expect(create('older', { where })).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
})

test('a preview says what a view would be and how many items each clause lets through', async () => {
  const { client } = server
  const before = await client.datasetList({ pageSize: 1000 })
  const body = {
    name: 'previewed',
    base: 'photos',
    where: { title: { icontains: 'cat' }, all: [{ 'taken_by.country': { eq: 'NZ' } }] },
    split: { parts: { a: 1, b: 1 }, take: 'a' },
    order: '-title',
    limit: 1,
    fields: ['title'],
  }
  const preview = await client.viewPreview({ body })
  const count = (clause: string) => preview.funnel.find((step) => step.clause === clause)?.count
  expect(preview).toMatchObject({
    schema: [{ name: 'title', type: 'string', length: 120 }],
    totalItems: 1,
    exact: true,
    scanned: 7,
    funnel: [
      { at: ['base'], clause: 'base', count: 7, exact: true },
      { at: ['where', 'title'], clause: 'where', count: 4, exact: true },
      { at: ['where', 'all', 0, 'taken_by.country'], clause: 'where', count: 3, exact: true },
      { at: ['split'], clause: 'split', exact: true },
      { at: ['limit'], clause: 'limit', count: 1, exact: true },
    ],
  })
  expect(await client.datasetList({ pageSize: 1000 })).toEqual(before)
  await client.viewCreate({ body })
  expect(await client.datasetItemList({ datasetId: 'previewed' })).toEqual(preview.items)
  await client.viewCreate({
    body: { ...body, name: 'unlimited', limit: undefined },
  })
  expect(await countOf('unlimited')).toBe(count('split'))
})
