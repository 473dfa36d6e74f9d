// @module-tag engines

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dropListingTables, listDroppedListings } from '../src/store/drop-data.ts'
import { orderTable } from '../src/store/listing-tables.ts'
import { dropListing, dropListingsOf } from '../src/store/listings.ts'
import { usualSizes } from '../src/listings/sizes.ts'
import { SampleStore } from './sample-store.ts'
import { isOnSqlite } from './test-database.ts'

const words = 60

/** A repository of words, looked at a few at a time, and sorted apart from the event loop. */
async function openWords(): Promise<SampleStore> {
  const sample = await SampleStore.open({
    ...usualSizes,
    sortedInPlace: 2,
    sortedBatch: 4,
    block: 2,
    blockMax: 4,
    window: { size: 5, targetMs: 0 },
  })
  await sample.create({
    name: 'words',
    schema: [{ name: 'word', type: 'string', length: 20 }],
    items: [],
  })
  for (let id = 1; id <= words; id += 1) {
    await sample.commit('words', { id, createdAt: 0, data: { word: `word ${words - id + 10}` } })
  }
  return sample
}

const order = ['word']

async function pageOf(sample: SampleStore) {
  const dataset = (await sample.datasets.find('words'))!
  const explored = (await sample.datasets.explorations.find(dataset, { order }, 'all'))!
  return explored.page({ page: 0, pageSize: 1000 })
}

/** Removes what was dropped at once, where the server would wait for those who may still read it. */
function removeDropped({ store }: SampleStore): Promise<void> {
  return store.write(async (transaction) => {
    for (const listing of await listDroppedListings(transaction)) {
      await dropListingTables(transaction, listing)
    }
  })
}

/** Positions that were looked at, and keys that are in order. */
async function progressOf({ store }: SampleStore): Promise<{ scanned: number; sorted: number }> {
  const row = await store.reads
    .selectFrom('listings')
    .select(['id', 'scanned'])
    .where('state', '!=', 'dropped')
    .executeTakeFirst()
  if (row === undefined) return { scanned: 0, sorted: 0 }
  const { rows } = await sql<{ sorted: number }>`
    select count(*) as sorted from ${orderTable(row.id)}`.execute(store.reads)
  return { scanned: row.scanned, sorted: rows[0]!.sorted }
}

// PostgreSQL drops no table that is read.
test.runIf(isOnSqlite).each([
  ['being filled', { scanned: 10, sorted: 0 }],
  ['being sorted', { scanned: words, sorted: 8 }],
])(
  'work on a listing that is %s ends quietly when it is removed',
  async (_, { scanned, sorted }) => {
    await using sample = await openWords()
    const reading = pageOf(sample)
    await expect
      .poll(
        async () => {
          const progress = await progressOf(sample)
          return progress.scanned >= scanned && progress.sorted >= sorted
        },
        { interval: 1 },
      )
      .toBe(true)
    const { id } = (await sample.datasets.find('words'))!
    await sample.store.write((transaction) => dropListingsOf(transaction, id))
    await removeDropped(sample)
    await reading
    const { value } = await pageOf(sample)
    expect(value.map((item) => item.id)).toEqual(Array.from({ length: words }, (_, i) => words - i))
  },
)

test(
  'a page of a listing that is being replaced is that of the one after it',
  { tags: 'long' },
  async () => {
    await using sample = await openWords()
    const whole = (await pageOf(sample)).value
    const [listing] = await sample.store.reads
      .selectFrom('listings')
      .select('id')
      .where('state', '=', 'current')
      .execute()
    const reads = Array.from({ length: 5 }, () => pageOf(sample))
    await sample.store.write((transaction) => dropListing(transaction, listing!.id))
    const pages = await Promise.all(reads)
    await removeDropped(sample)
    for (const { value } of [...pages, await pageOf(sample)]) {
      expect(value).toEqual(whole)
    }
  },
)
