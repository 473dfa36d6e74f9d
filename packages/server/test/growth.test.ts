import { addItem, type Client } from '@vitrine/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let client: Client

beforeAll(async () => {
  server = await startTestServer({})
  client = server.client
  const schema = [{ name: 'word', type: 'string' }]
  await client.repoCreate({ body: { name: 'words', schema } })
  await client.repoCreate({ body: { name: 'nothing', schema } })
  await client.repoCreate({ body: { name: 'numbers', schema } })
  for (const word of ['two', 'one', 'zero', 'a']) await addItem(client, 'words', { word })
})

afterAll(() => server.close())

/** When the items of a dataset were committed, the oldest first. */
async function moments(name: string): Promise<string[]> {
  const found: string[] = []
  for await (const { id } of client.items(name)) {
    const { createdAt } = await client.datasetItemGet({ datasetId: name, itemId: id })
    found.push(createdAt!)
  }
  return found.toSorted()
}

test('a dataset without items has not grown', async () => {
  expect(await client.datasetGrowth({ datasetId: 'nothing' })).toEqual({ points: [] })
})

test.each([
  ['words', undefined],
  ['renamed', { base: 'words', fields: [{ name: 'text', from: 'word' }] }],
  ['first', { base: 'words', limit: 2 }],
  ['filtered', { base: 'words', where: { word: { contains: 'o' } } }],
  ['sorted', { base: 'words', order: ['word'] }],
] as const)('%s has grown as its items were committed', async (name, view) => {
  if (view !== undefined) await client.viewCreate({ body: { name, ...view } })
  const added = await moments(name)
  expect(added.length).toBeGreaterThan(1)
  expect(await client.datasetGrowth({ datasetId: name })).toEqual({
    points: added.map((at, index) => ({ items: index + 1, at })),
  })
})

test.each([
  ['least', { base: 'words', order: ['word'], limit: 2 }],
  ['sorted-filtered', { base: 'sorted', where: { word: { contains: 'o' } } }],
])('%s, whose items are known in another order alone, has no points', async (name, view) => {
  await client.viewCreate({ body: { name, ...view } })
  expect(await client.datasetGrowth({ datasetId: name })).toEqual({ points: [] })
})

test('growth of many items has 50 points, with the first and last', { tags: 'long' }, async () => {
  for (let number = 1; number <= 120; number += 1) {
    await addItem(client, 'numbers', { word: `${number}` })
  }
  const added = await moments('numbers')
  const { points } = await client.datasetGrowth({ datasetId: 'numbers' })
  expect(points).toHaveLength(50)
  expect(points[0]!.items).toBe(1)
  expect(points.at(-1)!.items).toBe(120)
  for (const { items, at } of points) expect(at).toBe(added[items - 1])
  const steps = points.slice(1).map(({ items }, index) => items - points[index]!.items)
  expect(new Set(steps)).toEqual(new Set([2, 3]))
})
