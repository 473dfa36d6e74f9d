// @module-tag engines

import { addItem } from '@vitrine/client'
import { foldSearch, searchBeginning } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatasetReader } from '../src/reading/dataset-reader.ts'
import { ItemSearch } from '../src/reading/search/item-search.ts'
import { bodyOf } from './body-of.ts'
import { fillWords } from './fill-words.ts'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'
import { until } from './until.ts'
import { wholeSearch } from './whole-search.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ VITRINE_DELETED_DAYS: '0' })
  const { client } = server
  await client.repoCreate({
    body: { name: 'countries', schema: [{ name: 'name', type: 'string' }] },
  })
  const germany = await addItem(client, 'countries', { name: 'Germany' })
  await client.repoCreate({
    body: {
      name: 'cities',
      label: 'name',
      schema: [
        { name: 'code', type: 'string', optional: true },
        { name: 'picture', type: 'binary', mime: 'image/*', optional: true },
        { name: 'name', type: 'string' },
        { name: 'country', type: 'reference', target: 'countries', optional: true },
        { name: 'population', type: 'integer', optional: true },
        { name: 'capital', type: 'boolean', optional: true },
      ],
    },
  })
  for (const name of ['Neu-Ulm', 'Ulmen', 'Ulm', 'Berlin']) {
    const picture = new Blob([png], { type: 'image/png' })
    await addItem(client, 'cities', { name, picture, country: germany, population: 120_451 })
  }
  await addItem(client, 'cities', { name: 'Zürich', code: 'ulm' })
  await client.viewCreate({ body: { name: 'all-cities', base: 'cities' } })
})
afterAll(() => server.close())

const find = (q: string) => wholeSearch(server.client, q)
const labels = async (q: string) =>
  (await find(q)).map(({ dataset, label }) => `${dataset} ${label}`)

test('a label that is the text comes first, then one that begins with it, then other texts', async () => {
  expect(await find('Ulm')).toEqual([
    {
      dataset: 'cities',
      id: 3,
      label: 'Ulm',
      match: { field: 'name', text: 'Ulm' },
      about: ['Germany', 120_451],
    },
    expect.objectContaining({ id: 2, label: 'Ulmen' }),
    {
      dataset: 'cities',
      id: 5,
      label: 'Zürich',
      match: { field: 'code', text: 'ulm' },
      about: [],
    },
  ])
})

test.for([
  ['ULM', ['cities Ulm', 'cities Ulmen', 'cities Zürich']],
  ['  zurich ', ['cities Zürich']],
  ['germ', ['countries Germany']],
  ['g', ['countries Germany']],
  // A text in the midst of another is what a search in the items of a dataset is for.
  ['lm', []],
  ['Ulm ', ['cities Ulm', 'cities Ulmen', 'cities Zürich']],
  ['nothing of the kind', []],
  [' ', []],
  ['', []],
  ["'; drop table items_1 --", []],
])('%j finds %j', async ([q, expected]) => {
  expect(await labels(q as string)).toEqual(expected)
})

test('a text of more characters than an address may search for is refused', async () => {
  const response = await server.request(`/api/search/item?q=${'x'.repeat(201)}`)
  expect([response.status, await bodyOf(response)]).toMatchObject([400, { code: 'QUERY_INVALID' }])
})

test('a search reflects added items, added fields and deleted repositories at once', async () => {
  const { client } = server
  const fields = (...names: string[]) =>
    names.map((name) => ({ name, type: 'string' as const, optional: true }))
  await client.repoCreate({ body: { name: 'notes', schema: fields('text') } })
  expect(await find('quartz')).toEqual([])
  await addItem(client, 'notes', { text: 'Quartz' })
  expect(await labels('quartz')).toEqual(['notes Quartz'])
  await client.repoExtend({
    datasetId: 'notes',
    body: { name: 'notes', schema: fields('text', 'remark') },
  })
  await addItem(client, 'notes', { remark: 'Quartzite' })
  expect(await labels('quartz')).toEqual(['notes Quartz', 'notes Quartzite'])
  await client.repoDelete({ datasetId: 'notes' })
  expect(await find('quartz')).toEqual([])
})

test('ten of many are found, and by the index once there is one', async () => {
  const { client } = server
  await client.repoCreate({
    body: { name: 'words', schema: [{ name: 'word', type: 'string', optional: true }] },
  })
  await fillWords(server, 140_000)
  await until(async () => (await client.itemSearch({ q: 'w99999' })).exact)
  expect(await labels('w99999')).toEqual(['words w99999'])
  const many = await client.itemSearch({ q: 'w1000' })
  expect(many.items).toHaveLength(10)
  expect(many.items.map(({ label }) => label)).toEqual(expect.arrayContaining(['w10000', 'w10009']))
  await client.repoDelete({ datasetId: 'words' })
})

test('a search without a time budget finds nothing and is not exact', async () => {
  await server.database.use(async (store) => {
    const datasets = new DatasetReader(store, { onError: () => undefined })
    const search = new ItemSearch(store, datasets, -1)
    const signal = new AbortController().signal
    expect(await search.find({ q: 'Ulm', owner: 'a', visibility: 'all', signal })).toEqual({
      items: [],
      exact: false,
    })
    await datasets.stop()
  })
})

test.for([
  ['Ulm', 'ulm', 0],
  ['Ülmen', 'ulm', 1],
  ['Neu-Ulm', 'ulm', undefined],
  ['', 'ulm', undefined],
  ['ﷺ', foldSearch('ﷺ').slice(0, 5), 1],
  ['x'.repeat(20_000), 'x'.repeat(10_000), 1],
] as const)('the folding of %j begins with %j: %j', ([text, folded, expected]) => {
  expect(searchBeginning(text, folded)).toBe(expected)
})
