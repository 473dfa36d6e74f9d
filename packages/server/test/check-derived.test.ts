// @module-tag engines
// @module-tag long

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Author } from '../src/access/identity.ts'
import { createRepo } from '../src/datasets/create-repo.ts'
import { createView } from '../src/datasets/create-view.ts'
import { DatasetReader } from '../src/reading/dataset-reader.ts'
import { segmentItems } from '../src/search-index/segment-filter.ts'
import { findDataset } from '../src/store/datasets.ts'
import { keysTable, membersTable, orderTable } from '../src/store/listing-tables.ts'
import { lockFolder } from '../src/store/lock.ts'
import { countSegments } from '../src/store/search-slices.ts'
import type { Store } from '../src/store/store.ts'
import {
  checkDataset,
  checkDerived,
  type DerivedExtent,
} from '../src/upkeep/verify/check-derived.ts'
import { startScrub } from '../src/upkeep/verify/scrub.ts'
import { fillWords } from './fill-words.ts'
import { patient } from './patient.ts'
import { createTestBlobs } from './test-blobs.ts'
import { createTestDatabase, isOnSqlite, type TestDatabase } from './test-database.ts'
import { until } from './until.ts'

const alice = { issuer: 'https://issuer.example', subject: 'alice' }
const author: Author = { identity: alice, visibility: 'all' }
/** Items: three windows of what is compared at once. */
const size = 9000
const views = [
  { name: 'sevens', base: 'words', where: { word: { ends_with: '7' } } },
  { name: 'few', base: 'sevens', where: { word: { contains: '77' } }, limit: 100 },
  { name: 'backwards', base: 'words', order: '-word' },
  { name: 'last', base: 'backwards', limit: 1000 },
  { name: 'sorted', base: 'last', order: 'word' },
]

let folder: string
let database: TestDatabase
/** How many items each dataset has, and `q` finds. */
let sizes: Record<string, number>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  database = await createTestDatabase(folder)
  await database.use(async (store) => {
    const schema = [{ name: 'word', type: 'string', length: 20 }]
    await createRepo(store, { name: 'words', schema }, author)
    for (const view of views) await createView(store, view, author)
  })
  await fillWords({ database }, size)
  sizes = await derive()
})

afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Reads everything as a server does, which makes what it is derived by; returns the sizes of all datasets. */
async function derive(): Promise<Record<string, number>> {
  return database.use(async (store) => {
    const errors: unknown[] = []
    const datasets = new DatasetReader(store, {
      budgets: patient.viewBudgets!,
      onError: (error) => errors.push(error),
    })
    const sizes: Record<string, number> = {}
    for (const name of ['words', ...views.map((view) => view.name)]) {
      const dataset = (await datasets.find(name))!
      sizes[name] = (await dataset.items.count()).value
      await dataset.items.page({ page: 0, pageSize: 10 })
      await datasets.summarize({ name, at: undefined }, {}, { visibility: 'all' })
    }
    const words = (await datasets.find('words'))!
    const search = (await datasets.explorations.find(words, { q: 'w11111' }, 'all'))!
    sizes['q'] = (await search.count()).value.totalItems
    // Takes a listing, which a count of so few does not.
    await search.snapshot(0)
    const segments = Math.floor(sizes['words']! / segmentItems)
    await until(async () => (await countSegments(store.reads, words.id)) === segments)
    await datasets.stop()
    expect(errors).toEqual([])
    return sizes
  })
}

async function findings(extent: DerivedExtent = 'whole') {
  const found: string[] = []
  const checking = checkDerived({ database: database.address, dataDir: folder }, extent)
  for await (const { kind, where, what } of checking) found.push(`${kind}: ${where}: ${what}`)
  return found
}

/** A statement on the tables of the listings of some views. */
type Change = (listing: (view: string) => Promise<number>) => Promise<RawBuilder<unknown>>

const alter = (change: Change) =>
  database.use(async (store) => {
    const statement = await change((name) => listingOf(store, name))
    await store.write((transaction) => statement.execute(transaction))
  })

async function listingOf({ reads }: Store, name: string): Promise<number> {
  const { id } = (await findDataset(reads, name))!
  const { id: listingId } = await reads
    .selectFrom('listings')
    .select('id')
    .where('dataset_id', '=', id)
    .where('exploration', '=', '')
    .where('state', '=', 'current')
    .executeTakeFirstOrThrow()
  return listingId
}

test('nothing is found where all is as it is derived, and all of it stays', async () => {
  expect(await findings('sample')).toEqual([])
  expect(await findings()).toEqual([])
  const listings = await database.use(({ reads }) =>
    reads.selectFrom('listings').select('id').where('state', '=', 'current').execute(),
  )
  // Of four views and of the search; the fifth view is the beginning of another.
  expect(listings).toHaveLength(5)
})

const replaced = 'words: the items that do not hold any more are not those that were replaced'
const hidden = 'its listing is not what its description keeps, from the'

test.for<{
  what: string
  change: Change
  told: string[]
}>([
  {
    what: 'members without the first 5,000 items',
    change: async (listing) => sql`
      delete from ${membersTable(await listing('sevens'))} where root < 5000`,
    told: [
      `sevens: ${hidden} 8. item of the repository on`,
      // It is compared with what is left of the listing below it.
      `few: ${hidden} 78. item of the repository on`,
    ],
  },
  {
    what: 'a member that does not belong there',
    change: async (listing) => sql`
      insert into ${membersTable(await listing('sevens'))} (position, root) values (1000000, 6000)`,
    told: [`sevens: ${hidden} 6001. item of the repository on`],
  },
  {
    what: 'a view on a view without an item, under a limit',
    change: async (listing) => sql`
      update ${membersTable(await listing('few'))} set root = root + 1 where position = 50`,
    told: [`few: ${hidden} 5078. item of the repository on`],
  },
  {
    what: 'another sort key',
    change: async (listing) => sql`
      update ${keysTable(await listing('backwards'))} set key = ${Buffer.from('x')} where root = 3`,
    told: [
      `backwards: ${hidden} 4. item of the repository on`,
      `sorted: ${hidden} 4. item of the repository on`,
    ],
  },
  {
    what: 'an order without an item',
    change: async (listing) => sql`
      delete from ${orderTable(await listing('backwards'))} where root = 4000`,
    told: ['backwards: its order is not that of its keys'],
  },
  {
    what: 'a block that miscounts',
    change: async (listing) => sql`
      update listing_blocks set count = count + 1
      where listing_id = ${await listing('backwards')} and first_key = (
        select first_key from listing_blocks where listing_id = ${await listing('backwards')}
        order by first_key desc limit 1
      )`,
    told: ['backwards: the blocks of its order miscount it'],
  },
  {
    what: 'the first items of an order without one',
    change: async (listing) => sql`
      delete from ${keysTable(await listing('sorted'))} where root = 8700`,
    told: [`sorted: ${hidden} 8701. item of the repository on`],
  },
  {
    what: 'a summary that says something else',
    change: async () => sql`
      update summaries set summary = replace(summary, '"count":', '"count":1')
      where dataset_id = (select id from datasets where name = 'sevens')`,
    told: ['sevens: its summary is not of its items'],
  },
  {
    what: 'an item that was replaced, and still holds',
    change: async () => sql`
      insert into corrections
        (dataset_id, replaces_id, item_id, first_id, position, withdraws, reason)
      select id, 4, 11, 4, 10, 0, 'a typing error' from datasets where name = 'words'`,
    told: [replaced],
  },
  {
    what: 'an item that holds, though nothing replaced it',
    change: async () => sql`
      insert into superseded (dataset_id, position, since)
      select id, 5, 8 from datasets where name = 'words'`,
    told: [replaced],
  },
])('$what: told, dropped, and made again', async ({ change, told }) => {
  await alter(change)
  const found = await findings()
  expect(found).toEqual(told.map((each) => `derived: ${each}`))
  expect(await derive()).toEqual(sizes)
})

test('all that was made again is as it is derived', async () => {
  expect(await findings()).toEqual([])
  const superseded = await database.use(({ reads }) =>
    reads.selectFrom('superseded').select(['position', 'since']).execute(),
  )
  expect(superseded).toEqual([{ position: 3, since: 10 }])
})

test('a listing that is replaced while it is compared is no fault', async () => {
  await derive()
  await database.use(async (store) => {
    const checking = checkDataset(
      { store, datasets: new DatasetReader(store, { onError: () => undefined }) },
      (await findDataset(store.reads, 'sevens'))!.id,
      'whole',
    )
    // The first of three windows.
    expect(await checking.next()).toEqual({ done: false, value: undefined })
    const id = await listingOf(store, 'sevens')
    await store.write(async (transaction) => {
      await sql`update listings set state = 'dropped' where id = ${id}`.execute(transaction)
      await sql`delete from ${membersTable(id)}`.execute(transaction)
    })
    expect(await checking.next()).toEqual({ done: true, value: undefined })
  })
  expect(await derive()).toEqual(sizes)
})

test('the scrub compares within a round, tells the log, and has what is wrong made again', async () => {
  await derive()
  await alter(
    async (listing) => sql`delete from ${membersTable(await listing('few'))} where position = 7`,
  )
  const lines: unknown[] = []
  await database.use(async (store) => {
    const datasets = new DatasetReader(store, { onError: (error) => lines.push(error) })
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const blobs = await createTestBlobs(folder).open()
    const scrub = startScrub({ store, datasets, blobs, logger, restShare: 0 })
    expect(await scrub.run(0)).toMatchObject({ datasets: 1 + views.length })
    // A round begins: nothing is due yet.
    expect(await scrub.run()).toMatchObject({ datasets: 0 })
    await store.write((transaction) =>
      sql`update scrub set began_at = began_at - 15 * 24 * 3600000`.execute(transaction),
    )
    expect(await scrub.run()).toMatchObject({ datasets: 3 })
    await scrub.stop()
    await datasets.stop()
  })
  // The words have no digests, which is told as well.
  const derived = lines.filter((line) => (line as { level: number }).level !== 60)
  expect(derived).toEqual([
    expect.objectContaining({
      level: 50,
      dataset: 'few',
      what: expect.stringContaining(hidden),
      msg: 'what is derived of items is made again',
    }),
  ])
  expect(await derive()).toEqual(sizes)
  expect(await findings()).toEqual([])
})

test.runIf(isOnSqlite)('nothing is compared beside a server, which does so itself', async () => {
  await derive()
  await alter(
    async (listing) => sql`delete from ${membersTable(await listing('few'))} where position = 7`,
  )
  const lock = lockFolder(folder)!
  const checking = checkDerived({ database: database.address, dataDir: folder }, 'whole')
  expect(await checking.next()).toEqual({ done: true, value: false })
  lock.release()
  expect(await findings()).toHaveLength(1)
})

test('an index that lacks a gram is told, dropped, and made again', async () => {
  await fillWords({ database }, segmentItems)
  const large = await derive()
  await alter(
    async () => sql`update search_slices set slices = ${Buffer.alloc(64)} where part = 77`,
  )
  expect(await findings()).toEqual(['derived: words: its index is not of the 1. to 65536. item'])
  expect(await derive()).toEqual(large)
  expect(await findings()).toEqual([])
})
