import { createHash } from 'node:crypto'
import { addItems, ApiError, type AddedItem } from '@vitrine/client'
import { limits, type ItemAddition } from '@vitrine/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let datasetId: string
let repos = 0

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  datasetId = `cities-${(repos += 1)}`
  await server.client.repoCreate({
    body: {
      name: datasetId,
      schema: [
        { name: 'name', type: 'string', length: 10 },
        { name: 'people', type: 'integer', optional: true },
        { name: 'facts', type: 'json', optional: true },
        { name: 'of', type: 'reference', target: datasetId, optional: true },
      ],
    },
  })
})
afterAll(() => server.close())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function addition(key: string, values: Record<string, string>): ItemAddition {
  const digests = Object.entries(values).map(([name, text]) => [name, { sha256: sha256(text) }])
  return { key, values, integrity: Object.fromEntries(digests) }
}

const add = async (...items: ItemAddition[]) =>
  (await server.client.itemAddMany({ datasetId, body: { items } })).items
const names = async () => {
  const items = await server.client.datasetItemList({ datasetId, pageSize: 1000 })
  return items.map(({ data }) => data['name'] as string).toSorted()
}

test('items of one request are added with their seals, and each that is refused by itself', async () => {
  const wrong = {
    ...addition('d', { name: 'Essen' }),
    integrity: { name: { sha256: sha256('x') } },
  }
  const added = await add(
    addition('a', { name: 'Ulm', people: '126405' }),
    addition('b', { name: 'far too long a name' }),
    addition('c', { name: 'Aalen', colour: 'red' }),
    wrong,
    addition('e', { name: 'Jena' }),
  )
  expect(added).toEqual([
    { id: expect.any(Number) },
    { error: expect.objectContaining({ code: 'DATA_NOT_CONFORMING' }) },
    { error: expect.objectContaining({ code: 'FIELD_NOT_IN_SCHEMA' }) },
    { error: expect.objectContaining({ code: 'INTEGRITY_MISMATCH' }) },
    { id: expect.any(Number) },
  ])
  expect(await names()).toEqual(['Jena', 'Ulm'])
  const { id } = added[0] as { id: number }
  const item = await server.client.datasetItemGet({ datasetId, itemId: id })
  expect(item).toMatchObject({ data: { name: 'Ulm', people: 126_405 } })
  expect(item.integrity?.['name']).toEqual({ sha256: sha256('Ulm'), size: 3 })
  await server.client.logProof({ datasetId, itemId: id })
})

test('the same request again changes nothing, and of two with one key one is added', async () => {
  const items = [
    addition('a', { name: 'Ulm' }),
    addition('b', { name: 'Jena' }),
    addition('a', { name: 'Ulm' }),
    addition('b', { name: 'Bonn' }),
  ]
  const first = await add(...items)
  expect(first[2]).toEqual(first[0])
  const refused = first.filter((each) => 'error' in each)
  expect(refused).toEqual([{ error: expect.objectContaining({ code: 'INSERT_COMMITTED' }) }])
  expect(await names()).toHaveLength(2)
  expect(await add(...items)).toEqual(first)
  expect(await names()).toHaveLength(2)
})

test('an item may not refer to one of its own request, but to any before', async () => {
  const [one] = await add(addition('a', { name: 'Ulm' }))
  const { id } = one as { id: number }
  const [two, none] = await add(
    addition('b', { name: 'Wiblingen', of: String(id) }),
    addition('c', { name: 'Nowhere', of: String(id + 1000) }),
  )
  expect(two).toHaveProperty('id')
  expect(none).toMatchObject({ error: { code: 'DATA_NOT_CONFORMING' } })
})

test('a body that is not such a list, and one for no repository, is refused whole', async () => {
  const item = addition('a', { name: 'Ulm' })
  const many = Array.from({ length: limits.addedItems + 1 }, (_, index) => ({
    ...item,
    key: `k${index}`,
  }))
  for (const body of [
    {},
    { items: [] },
    { items: [item, { ...item, key: '' }] },
    { items: [{ ...item, values: { name: ['Ulm'] } }] },
    { items: [item], more: 1 },
    { items: many },
  ]) {
    const reply = await server.request(`/api/repo/${datasetId}/items/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'REQUEST_INVALID' }])
  }
  const nowhere = server.client.itemAddMany({ datasetId: 'nowhere', body: { items: [item] } })
  expect(await refusal(nowhere)).toMatchObject({ status: 404, code: 'REPO_OR_ITEM_NOT_FOUND' })
  expect(await names()).toEqual([])
})

test('the client sends as many requests as it takes, and tells of each item in turn', async () => {
  const rows = Array.from({ length: limits.addedItems + 10 }, (_, index) => ({
    name: index === 3 ? 'far too long a name' : `city ${index}`,
    people: index,
    facts: { index },
  }))
  const told: AddedItem[] = []
  for await (const added of addItems(server.client, datasetId, rows)) told.push(added)
  expect(told).toHaveLength(rows.length)
  expect(told[3]).toEqual({ error: expect.any(ApiError) })
  const [last] = told.slice(-1) as { id: number }[]
  const { data } = await server.client.datasetItemGet({ datasetId, itemId: last!.id })
  expect(data).toEqual(rows.at(-1))
  expect(await names()).toHaveLength(rows.length - 1)
})
