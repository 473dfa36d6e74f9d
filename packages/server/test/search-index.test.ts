// @module-tag engines

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { candidateSpans, type Span } from '../src/search-index/candidate-spans.ts'
import { longestGrams } from '../src/search-index/grams.ts'
import { SegmentFilter, segmentItems } from '../src/search-index/segment-filter.ts'
import { countSegments } from '../src/store/search-slices.ts'
import type { Store } from '../src/store/store.ts'
import { fillWords } from './fill-words.ts'
import { startTestServer, type TestServer } from './server.ts'
import { until } from './until.ts'

/** Two whole segments, and some items that are never indexed. */
const size = segmentItems * 2 + 1000

describe('the texts of a large repository', () => {
  let server: TestServer
  let store: Store
  let repoId: number
  beforeAll(async () => {
    server = await startTestServer({ VITRINE_DELETED_DAYS: '0' })
    await server.client.repoCreate({
      body: { name: 'words', schema: [{ name: 'word', type: 'string', length: 20 }] },
    })
    await fillWords(server, size)
    store = await server.database.open()
    const { id } = await store.reads
      .selectFrom('datasets')
      .select('id')
      .where('name', '=', 'words')
      .executeTakeFirstOrThrow()
    repoId = id
  })
  afterAll(async () => {
    await store.close()
    await server.close()
  })

  const found = async (q: string) => {
    const items = await server.client.datasetItemList({ datasetId: 'words', q })
    return items.map(({ id }) => id)
  }
  const segments = () => countSegments(store.reads, repoId)
  const spans = async (text: string, from = 0): Promise<Span[]> => {
    const grams = longestGrams(text).map((hash) => ({ kind: 'gram' as const, hash }))
    const asked = { repoId, needed: { kind: 'all' as const, of: grams } }
    const candidates = await candidateSpans(store.reads, asked, { from, upTo: size, max: size })
    expect(candidates.to).toBe(size)
    return candidates.spans
  }

  test('are indexed at the first search, with the same results', async () => {
    expect(await segments()).toBe(0)
    // The words are numbered from 10000 on, and the ids from 1.
    expect(await found('w71111')).toEqual([61_112])
    await until(async () => (await segments()) === 2)
    expect(await found('w71112')).toEqual([61_113])
    expect(await found('9999 w1')).toEqual([10_000, 100_000, 110_000, 120_000, 130_000])
    expect(await found(`w${10_000 + size - 1}`)).toEqual([size])
    expect(await found('nowhere')).toEqual([])
  })

  test('are read where the index has a match, and beyond the indexed part', async () => {
    const last = { from: segmentItems * 2, to: size }
    const [near, ...rest] = await spans('w71111')
    expect(near!.from).toBeLessThanOrEqual(61_111)
    expect(near!.to).toBeGreaterThan(61_111)
    expect([near!, ...rest].reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThan(
      size / 10,
    )
    expect(await spans('qqq')).toEqual([last])
    expect(await spans('w71111', segmentItems * 2 + 10)).toEqual([
      { ...last, from: last.from + 10 },
    ])
    // In most blocks: the segments are looked at as a whole.
    expect(await spans('w')).toEqual([{ from: 0, to: size }])
  })

  test('are read in full while the index is being removed', async () => {
    const removed = new Error('undone')
    const undone = store.write(async (transaction) => {
      await transaction.deleteFrom('search_slices').where('part', '>', 0).execute()
      const grams = longestGrams('qqq').map((hash) => ({ kind: 'gram' as const, hash }))
      const asked = { repoId, needed: { kind: 'all' as const, of: grams } }
      const { spans } = await candidateSpans(transaction, asked, { from: 0, upTo: size, max: size })
      expect(spans).toEqual([{ from: 0, to: size }])
      throw removed
    })
    await expect(undone).rejects.toBe(removed)
  })

  test('lose their index when the repository is deleted', async () => {
    await server.client.repoDelete({ datasetId: 'words' })
    await until(async () => (await segments()) === 0)
  })
})

test('a segment is not written without all of its items', () => {
  const segment = new SegmentFilter()
  for (let item = 1; item < segmentItems; item += 1) segment.add([], [])
  expect(() => segment.write()).toThrow('65536 items, not 65535')
  segment.add([], [])
  segment.write()
  segment.add([], [])
  expect(() => segment.write()).toThrow('65536 items, not 65537')
})
