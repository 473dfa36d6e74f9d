import { addItem, type Client } from '@vitrine/client'
import type { Exploration } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
let client: Client

beforeAll(async () => {
  server = await startTestServer()
  client = server.client
  const schema = [
    { name: 'word', type: 'string' },
    { name: 'number', type: 'integer', optional: true },
  ]
  await client.repoCreate({ body: { name: 'words', schema } })
  for (const [index, word] of ['two', 'one', 'zero', 'a', 'one more', 'last'].entries()) {
    await addItem(client, 'words', { word, ...(index % 2 === 0 && { number: `${index}` }) })
  }
  const views = {
    first: { base: 'words', limit: 3 },
    filtered: { base: 'words', where: { word: { contains: 'o' } } },
    sorted: { base: 'words', order: ['word'] },
    least: { base: 'words', order: ['-number'], limit: 4 },
    'least-sorted': { base: 'least', order: ['word'] },
    'sorted-filtered': { base: 'sorted', where: { word: { contains: 'o' } } },
    none: { base: 'words', where: { word: { eq: 'nothing' } } },
  }
  for (const [name, view] of Object.entries(views)) {
    await client.viewCreate({ body: { name, ...view } })
  }
})

afterAll(() => server.close())

const asked: Exploration[] = [
  {},
  { where: { word: { contains: 'e' } } },
  { order: ['-word'] },
  { order: ['number'] },
  { where: { word: { contains: 'e' } }, order: ['word'] },
  { q: 'one' },
]

const datasets = [
  'words',
  'first',
  'filtered',
  'sorted',
  'least',
  'least-sorted',
  'sorted-filtered',
  'none',
]

test.each(datasets)('in %s the neighbours of an item are those of its page', async (datasetId) => {
  for (const exploration of asked) {
    const ids = (await client.datasetItemList({ datasetId, ...exploration })).map(({ id }) => id)
    for (const [place, itemId] of ids.entries()) {
      const [previous, next] = [ids[place - 1], ids[place + 1]]
      expect(
        await client.datasetItemNeighbours({ datasetId, itemId, ...exploration }),
        `${itemId} of ${JSON.stringify(exploration)}`,
      ).toEqual({ ...(previous && { previous }), ...(next && { next }) })
    }
    for (const itemId of [1, 2, 3, 4, 5, 6, 7].filter((id) => !ids.includes(id))) {
      await expect(
        client.datasetItemNeighbours({ datasetId, itemId, ...exploration }),
      ).rejects.toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
    }
  }
})

test('an item has a neighbour as soon as there is one', async () => {
  const itemId = await addItem(client, 'words', { word: 'oo' })
  const next = await addItem(client, 'words', { word: 'ooo' })
  for (const datasetId of ['words', 'filtered', 'sorted-filtered']) {
    expect(await client.datasetItemNeighbours({ datasetId, itemId })).toMatchObject({ next })
  }
})

test('neighbours in the order of an unknown field are refused', async () => {
  const asking = client.datasetItemNeighbours({ datasetId: 'words', itemId: 1, order: ['wrod'] })
  await expect(asking).rejects.toMatchObject({ code: 'QUERY_INVALID' })
})
