import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { usualSizes, type Sizes } from '../src/listings/sizes.ts'
import { isOnSqlite } from './test-database.ts'
import { SampleStore } from './sample-store.ts'

/** Sizes by which a few items take many windows and batches, and are sorted from the first window on. */
const sizes: Sizes = {
  ...usualSizes,
  sortedInPlace: 2,
  sortedEarly: 10,
  sortedBatch: 4,
  block: 2,
  blockMax: 4,
  window: { size: 3, targetMs: 0 },
}

const words = 40
const wordOf = (id: number) => `word ${(id * 17) % 100}`

async function openWords() {
  const sample = await SampleStore.open(sizes)
  onTestFinished(() => sample[Symbol.asyncDispose]())
  await sample.create({
    name: 'words',
    schema: [{ name: 'word', type: 'string', length: 20 }],
    items: [],
  })
  const add = (id: number) =>
    sample.commit('words', { id, createdAt: 0, data: { word: wordOf(id) } })
  for (let id = 1; id <= words; id += 1) await add(id)
  const sorts = { early: 0, late: 0 }
  const { beginSort, sortKeys } = sample.store
  if (beginSort !== undefined) {
    sample.store.beginSort = (...parameters) => {
      sorts.early += 1
      return beginSort(...parameters)
    }
  }
  sample.store.sortKeys = (...parameters) => {
    sorts.late += 1
    return sortKeys(...parameters)
  }
  return { sample, add, sorts }
}

async function ordered(sample: SampleStore, order: string[], name = 'words'): Promise<unknown[]> {
  const dataset = (await sample.datasets.find(name))!
  const explored = (await sample.datasets.explorations.find(dataset, { order }, 'all'))!
  const { value } = await explored.page({ page: 0, pageSize: 1000 })
  return value.map(({ data }) => data['word'])
}

const inOrder = (count: number) =>
  Array.from({ length: count }, (_, index) => wordOf(index + 1)).toSorted((a, b) =>
    a < b ? -1 : 1,
  )

test.skipIf(!isOnSqlite)('an order is sorted while its keys are written', async () => {
  const { sample, sorts } = await openWords()
  expect(await ordered(sample, ['word'])).toEqual(inOrder(words))
  expect(await ordered(sample, ['-word'])).toEqual(inOrder(words).toReversed())
  expect(await ordered(sample, ['natural:word'])).toEqual(
    inOrder(words).toSorted((a, b) => Number(a.slice(5)) - Number(b.slice(5))),
  )
  expect(sorts).toEqual({ early: 3, late: 0 })
})

test('items that come meanwhile are in their places', async () => {
  const { sample, add } = await openWords()
  const [, found] = await Promise.all([
    (async () => {
      for (let id = words + 1; id <= words + 20; id += 1) await add(id)
    })(),
    ordered(sample, ['word']),
  ])
  expect(found.length).toBeGreaterThanOrEqual(words)
  expect(await ordered(sample, ['word'])).toEqual(inOrder(words + 20))
})

test.skipIf(!isOnSqlite)(
  'a sort that fails, or finds other rows, is made of the keys',
  async () => {
    for (const rows of ['select 1 as key from nothing', "select x'00' as key, 1 as root"]) {
      const { sample, sorts } = await openWords()
      const { beginSort } = sample.store
      sample.store.beginSort = (listingId, _, each) => beginSort!(listingId, sql.raw(rows), each)
      expect(await ordered(sample, ['word'])).toEqual(inOrder(words))
      expect(sorts).toEqual({ early: 1, late: 1 })
    }
  },
)

test('an order of a view of an order is sorted from that', async () => {
  const { sample, sorts } = await openWords()
  await sample.create({
    name: 'backwards',
    view: { name: 'backwards', base: 'words', order: ['-word'] },
  })
  expect(await ordered(sample, ['word'], 'backwards')).toEqual(inOrder(words))
  expect(sorts.early + sorts.late).toBe(2)
})
