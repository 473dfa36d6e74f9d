// @module-tag engines

import { addItem } from '@vitrine/client'
import { progressHeader, type Exploration, type Item } from '@vitrine/contract'
import { sql } from 'kysely'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { worlds } from '../../contract/test/arbitraries.ts'
import { allPages } from './all-pages.ts'
import { createWorld } from './explore-world.ts'
import { fillWords } from './fill-words.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'
import type { StartOptions } from '../src/start.ts'

const worldCount = times('EXPLORE_RUNS', { first: 2, whole: 20 })

async function start(options: StartOptions = {}): Promise<TestServer> {
  const server = await startTestServer({}, { ...options, restarts: true })
  const { client } = server
  await client.repoCreate({ body: { name: 'people', schema: [{ name: 'name', type: 'string' }] } })
  await client.repoCreate({
    body: {
      name: 'words',
      schema: [
        { name: 'word', type: 'string' },
        { name: 'by', type: 'reference', target: 'people', optional: true },
        { name: 'sound', type: 'binary', mime: 'audio/*', optional: true },
      ],
    },
  })
  await addItem(client, 'people', { name: 'Ana' })
  for (const word of ['one', 'two', 'three', 'four']) {
    await addItem(client, 'words', word === 'two' ? { word, by: 1 } : { word })
  }
  await client.viewCreate({
    body: { name: 'long', base: 'words', where: longer(3), order: 'word' },
  })
  return server
}

const longer = (length: number) => ({ word: { length: { gt: length } } })
const withO: Exploration['where'] = { word: { contains: 'o' } }

/** The listings that are kept for what was asked, those of views aside. */
function keptExplorations({ database }: TestServer): Promise<number> {
  return database.use(async ({ reads }) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from listings where exploration <> '' and state <> 'dropped'
    `.execute(reads)
    return rows[0]!.n
  })
}

describe('a query on a dataset', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await start()
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
    expect(await idsOf('brief', asked)).toEqual([2, 1])
    const kept = await keptExplorations(server)
    await server.restart()
    expect(await keptExplorations(server)).toBe(kept)
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

test('no more is kept than the bounds say', async () => {
  const server = await start({ explorationBounds: { listings: 3, rows: 8 } })
  onTestFinished(() => server.close())
  // A page that is not the first one takes a listing.
  const ask = (length: number) => allPages(server, 'words', { where: longer(length) }, 1)
  for (const length of [2, 3, 4, 5, 6]) {
    expect(await ask(length)).toHaveLength([4, 2, 1, 0, 0][length - 2]!)
    await expect.poll(() => keptExplorations(server)).toBeLessThanOrEqual(3)
  }
  // All four words twice are as many rows as may be.
  for (const where of [longer(0), longer(1), longer(2)]) {
    expect(await allPages(server, 'words', { where }, 3)).toHaveLength(4)
  }
  await expect.poll(() => keptExplorations(server)).toBe(2)
  for (const length of [2, 3, 4, 5, 6]) {
    expect(await ask(length)).toHaveLength([4, 2, 1, 0, 0][length - 2]!)
  }
})

test('a first page and a count of few items keep no listing, a later page does', async () => {
  const server = await start()
  onTestFinished(() => server.close())
  const { client } = server
  const asked = { datasetId: 'words', where: withO }
  expect((await client.datasetItemList({ ...asked, pageSize: 2 })).map(({ id }) => id)).toEqual([
    1, 2,
  ])
  expect(await client.datasetCount(asked)).toEqual({ totalItems: 3 })
  // All of them are known by now.
  const second = { ...asked, pageSize: 2, page: 1 }
  expect((await client.datasetItemList(second)).map(({ id }) => id)).toEqual([4])
  expect(await client.datasetItemList({ ...asked, page: 9 })).toEqual([])
  expect(await keptExplorations(server)).toBe(0)
  await addItem(client, 'words', { word: 'oops' })
  expect(await client.datasetCount(asked)).toEqual({ totalItems: 4 })
  expect(await keptExplorations(server)).toBe(0)
  await addItem(client, 'words', { word: 'owl' })
  expect((await client.datasetItemList(second)).map(({ id }) => id)).toEqual([4, 5])
  expect(await keptExplorations(server)).toBe(1)
})

const background = 60_000
// A count begins with a scan, a later page takes a listing.
test.each([
  { read: 'count?', ends: 'nobody asks again', background: 0 },
  { read: 'item?page=1&', ends: 'nobody asks again', background: 0 },
  { read: 'count?', ends: 'something else is asked', background },
  { read: 'item?page=1&', ends: 'something else is asked', background },
])('a part of $read does not go on once $ends', { tags: 'long' }, async ({ read, background }) => {
  const server = await start({
    viewBudgets: { partial: 0, whole: 60_000, preview: 0, background },
  })
  onTestFinished(() => server.close())
  await fillWords(server, 200_000)
  const look = (text: string, options = '') =>
    server.request(`/api/dataset/words/${read}where={"word":{"icontains":"${text}"}}${options}`)
  const scanned = async () => {
    const { headers } = await look('none', '&partial=true')
    return Number(headers.get(progressHeader)!.split('/')[0])
  }
  await scanned()
  // They take turns, so the one before would be done by now, or nearly.
  expect((await look('no')).status).toBe(200)
  expect(await scanned()).toBeLessThan(100_000)
})

test('a page that is full is answered before all items were looked at', async () => {
  const server = await start({
    viewBudgets: { partial: 0, whole: 0, preview: 0, background: 60_000 },
  })
  onTestFinished(() => server.close())
  const path = '/api/dataset/words/item?partial=true&where={"word":{"contains":"o"}}'
  const read = (query: string) => server.request(`${path}${query}`)
  await expect
    .poll(async () => ((await (await read('&pageSize=3')).json()) as Item[]).length)
    .toBe(3)
  await addItem(server.client, 'words', { word: 'oops' })
  const full = await read('&pageSize=3')
  expect(full.headers.get(progressHeader)).toBe(null)
  expect((await full.json()) as Item[]).toHaveLength(3)
  // What was committed meanwhile is not known yet, and the reply says so.
  await addItem(server.client, 'words', { word: 'owl' })
  expect((await read('&pageSize=50')).headers.get(progressHeader)).toMatch(/^\d\/6$/)
})

test('counting ends early where there is much', { tags: 'long' }, async () => {
  const server = await start()
  onTestFinished(() => server.close())
  await fillWords(server, 25_000)
  await server.restart()
  const where = { word: { starts_with: 'w' } }
  const count = (asked: Exploration) =>
    server.client.datasetCount({ datasetId: 'words', where: asked.where })
  expect(await count({ where })).toEqual({ totalItems: 10_000, exact: false })
  expect(await count({ where: { word: { lt: 'w' } } })).toEqual({ totalItems: 4 })
  expect(await count({ where: { word: { between: ['w10000', 'w19999'] } } })).toEqual({
    totalItems: 10_000,
  })
  const asked = { where, order: ['-id'] }
  await expect
    .poll(() => server.client.datasetItemList({ datasetId: 'words', page: 1249, ...asked }))
    .toHaveLength(20)
  expect((await server.client.datasetItemList({ datasetId: 'words', ...asked }))[0]).toEqual({
    id: 25_004,
    data: { word: 'w34999' },
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
