// @module-tag engines

import { addItem, type Client, type NewValue } from '@vitrine/client'
import type { DatasetSort, FoundDataset } from '@vitrine/contract'
import { expect, onTestFinished, test } from 'vitest'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'

async function start(options: Parameters<typeof startTestServer>[1] = {}): Promise<TestServer> {
  const server = await startTestServer({}, options)
  onTestFinished(() => server.close())
  return server
}

const word = { name: 'word', type: 'string', optional: true } as const
const picture = (name: string) =>
  ({ name, type: 'binary', mime: 'image/*', optional: true }) as const

async function names(client: Client, query: Parameters<Client['datasetSearch']>[0] = {}) {
  return (await client.datasetSearch(query)).map(({ name }) => name)
}

/** The entry of a dataset, once it is said of all of its items. */
async function whole(client: Client, name: string): Promise<FoundDataset> {
  let found: FoundDataset | undefined
  await expect
    .poll(async () => {
      found = (await client.datasetSearch({ q: name })).find((each) => each.name === name)
      return found?.items.exact
    })
    .toBe(undefined)
  return found!
}

test('every dataset is found with its kind, description, count and newest item', async () => {
  const { client } = await start()
  const description = 'Words, one by one'
  await client.repoCreate({ body: { name: 'words', description, schema: [word] } })
  const [empty] = await client.datasetSearch({})
  const { createdAt } = await client.datasetGet({ datasetId: 'words' })
  const fieldNames = ['word']
  const none = { fields: [], covers: [] }
  const entry = { name: 'words', kind: 'repo', createdAt, description, fieldNames, ...none }
  expect(empty).toEqual({ ...entry, items: { totalItems: 0 } })

  await addItem(client, 'words', { word: 'one' })
  const itemId = await addItem(client, 'words', { word: 'two' })
  const { createdAt: addedAt } = await client.datasetItemGet({ datasetId: 'words', itemId })
  const [filled] = await client.datasetSearch({})
  expect(filled).toEqual({ ...entry, items: { totalItems: 2 }, addedAt })

  await client.viewCreate({ body: { name: 'twos', base: 'words', where: { word: { eq: 'two' } } } })
  expect(await whole(client, 'twos')).toEqual({
    name: 'twos',
    kind: 'view',
    base: 'words',
    createdAt: (await client.datasetGet({ datasetId: 'twos' })).createdAt,
    items: { totalItems: 1 },
    addedAt,
    fieldNames,
    ...none,
  })
})

test('words are looked for in names, descriptions and fields, and names that fit come first', async () => {
  const { client } = await start()
  const create = (name: string, description: string, ...fields: string[]) =>
    client.repoCreate({
      body: {
        name,
        description,
        schema: ['id_', ...fields].map((name) => ({ name, type: 'string' })),
      },
    })
  await create('lake', 'One word')
  await create('lakes', 'Waters')
  await create('great-lake', 'Another')
  await create('hills', 'Above the Läke of Zürich', 'height')
  await create('towns', 'Places', 'lake_name', 'population')

  expect(await names(client, { q: 'LAKE' })).toEqual([
    'lake',
    'lakes',
    'great-lake',
    'towns',
    'hills',
  ])
  expect(await names(client, { q: 'zurich' })).toEqual(['hills'])
  expect(await names(client, { q: ' lake  population ' })).toEqual(['towns'])
  expect(await names(client, { q: 'lake nowhere' })).toEqual([])
  expect(await names(client, { q: '%' })).toEqual([])
  expect(await names(client, { q: '  ' })).toHaveLength(5)
  expect(await names(client, { q: 'lake', sort: 'name' })).toEqual([
    'great-lake',
    'hills',
    'lake',
    'lakes',
    'towns',
  ])
  const [towns] = await client.datasetSearch({ q: 'places POPUL lake' })
  expect(towns?.fields).toEqual(['lake_name', 'population'])

  await client.repoExtend({
    datasetId: 'lake',
    body: {
      name: 'lake',
      description: 'Says more',
      schema: [
        { name: 'id_', type: 'string' },
        { name: 'depth', type: 'number', optional: true },
      ],
    },
  })
  expect(await names(client, { q: 'more' })).toEqual(['lake'])
  expect(await names(client, { q: 'depth' })).toEqual(['lake'])
  expect(await names(client, { q: 'one word' })).toEqual([])
  await client.repoDelete({ datasetId: 'lake' })
  expect(await names(client, { q: 'depth' })).toEqual([])
})

test('datasets are sorted, in pages, and by kind', async () => {
  const { client } = await start()
  for (const [name, items] of [
    ['photos2', 2],
    ['photos10', 0],
    ['Photos1', 1],
  ] as const) {
    await client.repoCreate({ body: { name, schema: [word] } })
    for (let item = 0; item < items; item += 1) await addItem(client, name, { word: 'x' })
  }
  await client.viewCreate({ body: { name: 'first', base: 'photos2', limit: 1 } })
  await addItem(client, 'photos2', { word: 'last' })

  const orders: [DatasetSort | undefined, string[]][] = [
    [undefined, ['first', 'Photos1', 'photos10', 'photos2']],
    ['-createdAt', ['first', 'Photos1', 'photos10', 'photos2']],
    ['createdAt', ['photos2', 'photos10', 'Photos1', 'first']],
    ['name', ['first', 'Photos1', 'photos2', 'photos10']],
    ['-name', ['photos10', 'photos2', 'Photos1', 'first']],
    ['items', ['photos10', 'first', 'Photos1', 'photos2']],
    ['-items', ['photos2', 'first', 'Photos1', 'photos10']],
    ['addedAt', ['first', 'Photos1', 'photos2', 'photos10']],
    ['-addedAt', ['photos2', 'Photos1', 'first', 'photos10']],
  ]
  for (const [sort, expected] of orders) {
    expect(await names(client, sort && { sort }), sort).toEqual(expected)
    const pages = [0, 1, 2].map((page) => names(client, { sort, page, pageSize: 3 }))
    expect((await Promise.all(pages)).flat(), sort).toEqual(expected)
  }
  expect(await names(client, { kind: 'view' })).toEqual(['first'])
  expect(await names(client, { kind: 'repo', q: 'photos1' })).toEqual(['Photos1', 'photos10'])
})

test('a view is counted and dated by the items that it has', async () => {
  const { client } = await start()
  await client.repoCreate({ body: { name: 'words', schema: [word] } })
  const views = {
    renamed: { base: 'words', fields: [{ name: 'text', from: 'word' }] },
    first: { base: 'words', limit: 2 },
    filtered: { base: 'words', where: { word: { contains: 'o' } } },
    sorted: { base: 'words', order: ['word'] },
    least: { base: 'words', order: ['word'], limit: 2 },
    leastSorted: { base: 'least', order: ['-word'] },
    leastFiltered: { base: 'least', where: { word: { contains: 'o' } } },
    none: { base: 'words', where: { word: { eq: 'nothing' } } },
  }
  for (const [name, view] of Object.entries(views)) {
    await client.viewCreate({ body: { name, ...view } })
  }
  for (const word of ['two', 'one', 'zero', 'a']) await addItem(client, 'words', { word })

  for (const name of Object.keys(views)) {
    const moments: string[] = []
    for await (const { id } of client.items(name)) {
      const { createdAt } = await client.datasetItemGet({ datasetId: name, itemId: id })
      moments.push(createdAt!)
    }
    const { items, addedAt } = await whole(client, name)
    expect(items, name).toEqual({ totalItems: moments.length })
    expect(addedAt, name).toEqual(moments.toSorted().at(-1))
  }
})

test('a view that has not looked at all items says so, and goes on', async () => {
  const server = await start({ restarts: true })
  const { client } = server
  await client.repoCreate({ body: { name: 'words', schema: [word] } })
  await client.viewCreate({
    body: { name: 'all', base: 'words', where: { word: { contains: 'o' } } },
  })
  await addItem(client, 'words', { word: 'one' })
  expect((await whole(client, 'all')).items).toEqual({ totalItems: 1 })
  // Nothing goes on behind a reply any more.
  await server.restart()
  await addItem(client, 'words', { word: 'two' })
  const [all] = await client.datasetSearch({})
  expect(all?.items).toEqual({ totalItems: 1, exact: false })
  expect((await whole(client, 'all')).items).toEqual({ totalItems: 2 })
})

test('up to four pictures are of the field that is named, or the first one', async () => {
  const { client } = await start()
  const image = () => new Blob([png], { type: 'image/png' })
  const schema = [picture('scan'), picture('portrait'), word]
  await client.repoCreate({ body: { name: 'plain', schema } })
  await client.repoCreate({ body: { name: 'named', cover: 'portrait', schema } })
  const ids: number[] = []
  for (let number = 0; number < 6; number += 1) {
    const values: Record<string, NewValue> =
      number === 1 ? { word: 'none' } : { scan: image(), portrait: image() }
    await addItem(client, 'plain', values)
    ids.push(await addItem(client, 'named', values))
  }
  await client.viewCreate({
    body: { name: 'renamed', base: 'named', fields: ['scan', { name: 'face', from: 'portrait' }] },
  })
  await client.viewCreate({ body: { name: 'faceless', base: 'named', fields: ['word', 'scan'] } })
  await client.viewCreate({ body: { name: 'texts', base: 'named', fields: ['word'] } })
  await client.viewCreate({ body: { name: 'latest', base: 'renamed', order: ['-id'], limit: 2 } })

  const covers = async (name: string) =>
    (await whole(client, name)).covers.map((cover) => {
      expect(cover.mime).toBe('image/*')
      return [cover.itemId, cover.fieldName]
    })
  const shown = ids.filter((_, index) => index !== 1)
  const first = (fieldName: string) => shown.slice(0, 4).map((id) => [id, fieldName])
  expect(await covers('plain')).toEqual(first('scan'))
  expect(await covers('named')).toEqual(first('portrait'))
  expect(await covers('renamed')).toEqual(first('face'))
  expect(await covers('faceless')).toEqual(first('scan'))
  expect(await covers('texts')).toEqual([])
  expect(await covers('latest')).toEqual(
    shown
      .slice(-2)
      .toReversed()
      .map((id) => [id, 'face']),
  )
})

test('a view without a known order is marked inexact instead of shown without covers', async () => {
  const { client } = await start()
  await client.repoCreate({ body: { name: 'scans', schema: [picture('scan')] } })
  for (let number = 0; number < 3; number += 1) {
    await addItem(client, 'scans', { scan: new Blob([png], { type: 'image/png' }) })
  }
  for (let number = 0; number < 20; number += 1) {
    const name = `latest-${number}`
    await client.viewCreate({ body: { name, base: 'scans', order: ['-id'], limit: 2 } })
    const [latest] = await client.datasetSearch({ q: name })
    expect(latest!.items.exact === false || latest!.covers.length === 2).toBe(true)
  }
})

test.each([['sort=size'], ['kind=item'], [`q=${'x'.repeat(201)}`], ['pageSize=1001']])(
  'the query %s is refused',
  async (query) => {
    const server = await start()
    expect((await server.request(`/api/search?${query}`)).status).toBe(400)
  },
)
