import { addItem } from '@vitrine/client'
import { hash } from 'node:crypto'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

/** A repository whose values are all text, as a file without types makes it. */
const cities: Record<string, string>[] = [
  { city: 'Auckland', population: '1530000', founded: '1840/09/18', facts: '{"port": true}' },
  { city: 'Berlin', population: ' 3755251 ', founded: 'unknown', facts: '[1.50]' },
  { city: 'Bonn', population: 'about 330000', facts: '{' },
  { city: 'Chongqing', population: '32054159.0' },
]

const typed = {
  name: 'typed',
  base: 'cities',
  fields: [
    'city',
    { name: 'population', from: 'population', as: 'integer' },
    { name: 'founded', from: 'founded', as: 'date' },
    { name: 'facts', from: 'facts', as: 'json' },
  ],
}

beforeAll(async () => {
  server = await startTestServer()
  const text = { type: 'string', length: 100, optional: true }
  await server.client.repoCreate({
    body: {
      name: 'cities',
      schema: ['city', 'population', 'founded', 'facts'].map((name) => ({ name, ...text })),
    },
  })
  for (const city of cities) await addItem(server.client, 'cities', city)
  await server.client.viewCreate({ body: typed })
  await server.client.repoCreate({
    body: { name: 'visits', schema: [{ name: 'to', type: 'reference', target: 'typed' }] },
  })
  for (const to of [1, 3, 4]) await addItem(server.client, 'visits', { to })
})

afterAll(() => server.close())

async function itemsOf(datasetId: string, asked: object = {}) {
  const items = await server.client.datasetItemList({ datasetId, page: 0, pageSize: 10, ...asked })
  return items.map(({ data }) => data)
}

test('a view shows text as values of the types that it names', async () => {
  expect(await itemsOf('typed')).toEqual([
    { city: 'Auckland', population: 1530000, founded: '1840-09-18', facts: { port: true } },
    { city: 'Berlin', population: 3755251, facts: [1.5] },
    { city: 'Bonn' },
    { city: 'Chongqing', population: 32054159 },
  ])
  const { schema } = await server.client.datasetGet({ datasetId: 'typed' })
  expect(schema.slice(1)).toEqual([
    { name: 'population', type: 'integer', optional: true },
    { name: 'founded', type: 'date', optional: true },
    { name: 'facts', type: 'json', optional: true },
  ])
})

test('a cast field is filtered and ordered by the type of the cast', async () => {
  const large = {
    name: 'large',
    base: 'typed',
    where: { population: { gt: 2_000_000 } },
    order: ['-population'],
  }
  await server.client.viewCreate({ body: large })
  const names = (items: { city?: unknown }[]) => items.map(({ city }) => city)
  expect(names(await itemsOf('large'))).toEqual(['Chongqing', 'Berlin'])
  expect(names(await itemsOf('typed', { order: 'population' }))).toEqual([
    'Auckland',
    'Berlin',
    'Chongqing',
    'Bonn',
  ])
  const where = JSON.stringify({ founded: { lt: '1900-01-01' } })
  expect(names(await itemsOf('typed', { where }))).toEqual(['Auckland'])
  const along = JSON.stringify({ 'to.population': { gte: 1530000 } })
  expect(await itemsOf('visits', { where: along, order: '-to.population' })).toEqual([
    { to: 4 },
    { to: 1 },
  ])
})

test('a cast value has the seal of what is shown', async () => {
  const { integrity } = await server.client.datasetItemGet({ datasetId: 'typed', itemId: 2 })
  const seal = (text: string) => ({ sha256: hash('sha256', text), size: Buffer.byteLength(text) })
  expect(integrity).toEqual({
    city: seal('Berlin'),
    population: seal('3755251'),
    facts: seal('[1.5]'),
  })
})

test('exports have the types of the view', async () => {
  const ndjson = await server.request('/api/dataset/typed/export?format=ndjson&integrity=true')
  const rows = (await ndjson.text()).trim().split('\n')
  const berlin = JSON.parse(rows[1]!) as Record<string, unknown>
  expect(berlin).toMatchObject({
    population: 3755251,
    'population.sha256': hash('sha256', '3755251'),
    facts: [1.5],
  })
  expect(Object.keys(berlin).filter((key) => key.startsWith('founded'))).toEqual([])
  const parquet = await server.request('/api/dataset/typed/export?format=parquet')
  const file = await parquet.arrayBuffer()
  const [first] = await parquetReadObjects({ file, compressors })
  expect(first).toMatchObject({ population: 1530000n, founded: new Date('1840-09-18') })
})

test('a preview counts the values that cannot be read, of the items that are kept', async () => {
  const preview = async (clauses: object) => {
    const body = { ...typed, name: 'seen', ...clauses }
    return (await server.client.viewPreview({ body })).unparsed
  }
  expect(await preview({})).toEqual([
    { field: 'population', count: 1 },
    { field: 'founded', count: 1 },
    { field: 'facts', count: 1 },
  ])
  expect(await preview({ where: { city: { neq: 'Bonn' } } })).toEqual([
    { field: 'population', count: 0 },
    { field: 'founded', count: 1 },
    { field: 'facts', count: 0 },
  ])
  expect(await preview({ fields: ['city'] })).toEqual([])
})
