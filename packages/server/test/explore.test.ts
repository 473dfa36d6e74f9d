// @module-tag engines

import { addItem } from '@vitrine/client'
import type { Exploration } from '@vitrine/contract'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worlds } from '../../contract/test/arbitraries.ts'
import { allPages } from './all-pages.ts'
import { createWorld } from './explore-world.ts'
import { keptExplorations, startWords, withO } from './explored-words.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'

const worldCount = times('EXPLORE_RUNS', { first: 2, whole: 20 })

describe('a query on a dataset', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startWords()
  })
  afterAll(() => server.close())

  const idsOf = async (datasetId: string, asked: Exploration) =>
    (await allPages(server, datasetId, asked, 2)).map(({ id }) => id)
  const countOf = (datasetId: string, asked: Exploration) =>
    server.client.datasetCount({ datasetId, ...asked })

  test('returns the items a view would, including those just committed', async () => {
    expect(await idsOf('words', { where: withO })).toEqual([1, 2, 4])
    expect(await idsOf('words', { order: ['-word'] })).toEqual([2, 3, 1, 4])
    expect(await idsOf('words', { where: withO, order: ['word'] })).toEqual([4, 1, 2])
    expect(await idsOf('words', { where: { 'by.name': { eq: 'Ana' } } })).toEqual([2])
    const id = await addItem(server.client, 'words', { word: 'zero' })
    expect(await idsOf('words', { where: withO, order: ['-word'] })).toEqual([id, 2, 1, 4])
    expect(await countOf('words', { where: withO })).toEqual({ totalItems: 4 })
    expect(await countOf('words', { where: withO, order: ['word'] })).toEqual({ totalItems: 4 })
    expect(await countOf('words', { order: ['word'] })).toEqual({ totalItems: 5 })
  })

  test('on a view uses the items and field names of the view', async () => {
    expect(await idsOf('long', {})).toEqual([4, 3, 5])
    expect(await idsOf('long', { where: withO })).toEqual([4, 5])
    expect(await idsOf('long', { where: withO, order: ['-id'] })).toEqual([5, 4])
    expect(await countOf('long', { where: withO })).toEqual({ totalItems: 2 })
  })

  test('creates no dataset and no reference', async () => {
    const { client } = server
    await idsOf('words', { where: withO, order: ['word'] })
    const names = (await client.datasetList({})).map(({ name }) => name)
    expect(names).toEqual(['long', 'words', 'people'])
    expect((await client.datasetGet({ datasetId: 'words' })).referencedBy).toEqual(['long'])
  })

  test.each<[string, (string | number)[]]>([
    ['where={"word":', ['where']],
    ['where=[]', ['where']],
    ['where={}', ['where']],
    ['where={"wrod":{"eq":"a"}}', ['where', 'wrod']],
    ['where={"word":{"contain":"a"}}', ['where', 'word', 'contain']],
    ['where={"word":{"eq":1}}', ['where', 'word', 'eq']],
    ['where={"word.name":{"eq":"a"}}', ['where', 'word.name']],
    ['order=wrod', ['order']],
    ['order=sound', ['order']],
    ['order=', ['order']],
    ['order=word,-word', ['order']],
    ['where={"id":{"gt":0}}&where={"id":{"gt":1}}', ['where']],
    ['order=word&order=id', ['order']],
    ['filter={}', ['filter']],
    [`q=${'x'.repeat(201)}`, ['q']],
    ['q=a%00', ['q']],
    ['q=a&q=b', ['q']],
    // The place is that of what was written, not of what it is looked for by.
    ['q=a&where={"wrod":{"eq":"a"}}', ['where', 'wrod']],
    ['q=a&where={"all":[{"wrod":{"eq":"a"}}]}', ['where', 'all', 0, 'wrod']],
  ])('is refused when invalid: %s', async (query, path) => {
    for (const call of ['item?', 'count?', 'export?format=ndjson&']) {
      const reply = await server.request(`/api/dataset/words/${call}${query}`)
      expect(reply.status).toBe(400)
      expect(await reply.json()).toMatchObject({
        code: 'QUERY_INVALID',
        details: { problems: [{ path: expect.arrayContaining(path) }] },
      })
    }
    const words = await server.client.datasetItemList({ datasetId: 'words' })
    expect(words.length).toBeGreaterThan(3)
  })

  test('names the nearest field when one is unknown', async () => {
    const asked = { where: { wrod: { eq: 'a' } } } as Exploration
    await expect(countOf('words', asked)).rejects.toMatchObject({
      body: { details: { problems: [{ path: ['where', 'wrod'], nearest: 'word' }] } },
    })
  })

  test('on an unknown dataset is not found', async () => {
    await expect(idsOf('word', { where: withO })).rejects.toMatchObject({
      code: 'DATASET_OR_ITEM_NOT_FOUND',
    })
    await expect(countOf('word', { where: withO })).rejects.toMatchObject({
      code: 'DATASET_NOT_FOUND',
    })
  })

  test('may be long, but no longer than a request line', async () => {
    const words = Array.from({ length: 400 }, (_, index) => `word ${index}`)
    expect(await idsOf('words', { where: { word: { in: [...words, 'one'] } } })).toEqual([1])
    const where = { word: { eq: 'x'.repeat(20_000) } }
    await expect(countOf('words', { where })).rejects.toMatchObject({
      status: 431,
      code: 'HEADERS_TOO_LARGE',
    })
  })

  test('stays cached over a restart, and is removed with its dataset', async () => {
    const { client } = server
    await client.viewCreate({ body: { name: 'brief', base: 'words', limit: 3 } })
    const asked = { where: withO, order: ['-word'] }
    // First pages keep nothing.
    const neighbours = () =>
      client.datasetItemNeighbours({ datasetId: 'brief', itemId: 2, ...asked })
    expect(await neighbours()).toMatchObject({ next: 1 })
    const kept = await keptExplorations(server)
    await server.restart()
    expect(await keptExplorations(server)).toBe(kept)
    expect(await neighbours()).toMatchObject({ next: 1 })
    expect(await idsOf('brief', asked)).toEqual([2, 1])
    expect(await keptExplorations(server)).toBe(kept)
    await client.viewDelete({ datasetId: 'brief' })
    expect(await keptExplorations(server)).toBe(kept - 2)
    await expect(idsOf('brief', asked)).rejects.toMatchObject({ status: 404 })
    // The same name, other items: nothing of the old is left.
    await client.viewCreate({ body: { name: 'brief', base: 'words', order: '-id', limit: 2 } })
    expect(await idsOf('brief', asked)).toEqual([5, 4])
  })

  test('is evicted when idle, and computed again on demand', async () => {
    expect(await idsOf('words', { where: withO })).toEqual([1, 2, 4, 5])
    await server.upkeep({ explorationIdleMs: 3_600_000 })
    expect(await keptExplorations(server)).toBeGreaterThan(0)
    await server.upkeep({ explorationIdleMs: 0 })
    expect(await keptExplorations(server)).toBe(0)
    expect(await idsOf('words', { where: withO })).toEqual([1, 2, 4, 5])
    expect(await idsOf('words', { where: withO, order: ['word'] })).toEqual([4, 1, 2, 5])
    expect(await idsOf('long', { where: withO })).toEqual([4, 5])
  })
})

test(
  'a view of the same clauses has the same items, page by page',
  { tags: 'long', timeout: 60_000 + worldCount * 60_000 },
  () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 7 }), async (world, pageSize) => {
        const server = await startTestServer()
        try {
          const { client } = server
          await createWorld(client, world)
          for (const dataset of world) {
            if (!('view' in dataset)) continue
            const { base, where, order } = dataset.view
            const name = `only-${dataset.name}`
            const asked = { ...(where && { where }), ...(order && { order }) }
            await client.viewCreate({ body: { name, base, ...asked } })
            const explored = await allPages(server, base, asked, pageSize)
            expect(explored).toEqual(await allPages(server, name, {}, pageSize))
            expect(await client.datasetCount({ datasetId: base, ...asked })).toEqual({
              totalItems: explored.length,
            })
          }
        } finally {
          await server.close()
        }
      }),
      { numRuns: worldCount, endOnFailure: true },
    ),
)
