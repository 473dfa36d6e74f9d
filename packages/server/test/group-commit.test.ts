// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sql } from 'kysely'
import { now } from '../src/store/engine-sql.ts'
import type { WriteOptions } from '../src/store/group-commit.ts'
import type { Store } from '../src/store/store.ts'
import { createTestDatabase, isOnSqlite, type TestDatabase } from './test-database.ts'

let folder: string
let database: TestDatabase
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  database = await createTestDatabase(folder)
  store = await database.open()
})

afterEach(async () => {
  await store.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const addBlob = (sha256: string, options?: WriteOptions) =>
  store.write(
    (transaction) =>
      transaction
        .insertInto('blobs')
        .values({ sha256, size: 1, created_at: now, state: 'live' })
        .execute(),
    options,
  )

const stored = async () => {
  const rows = await store.reads.selectFrom('blobs').select('sha256').orderBy('sha256').execute()
  return rows.map(({ sha256 }) => sha256)
}

test.for([
  { how: 'one after the other', keys: [] },
  { how: 'side by side', keys: ['1', '2', '3', '4'] },
])('a refused write takes nothing of its group with it, $how', async ({ keys }) => {
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'a', 'c'].map((sha256, index) => addBlob(sha256, { concurrencyKey: keys[index] })),
  )
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(await stored()).toEqual(['a', 'b', 'c'])
})

test('a refused write leaves nothing of its own statements', async () => {
  const write = store.write(async (transaction) => {
    await transaction
      .insertInto('blobs')
      .values({ sha256: 'a', size: 1, created_at: now, state: 'live' })
      .execute()
    throw new Error('refused')
  })
  await expect(write).rejects.toThrow('refused')
  expect(await stored()).toEqual([])
})

test('readers do not see a write before it is committed', async () => {
  const seen: string[][] = []
  await store.write(async (transaction) => {
    await transaction
      .insertInto('blobs')
      .values({ sha256: 'a', size: 1, created_at: now, state: 'live' })
      .execute()
    seen.push(await stored())
  })
  expect([...seen, await stored()]).toEqual([[], ['a']])
})

test.runIf(isOnSqlite)(
  'a full disk is told as such to the whole group, and room makes it work again',
  async () => {
    await store.write(async (transaction) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(transaction)
      await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(transaction)
    })
    const addLarge = (letter: string) => addBlob(letter.repeat(100_000))
    const full = { status: 'rejected', reason: { errcode: 13 } }
    expect(await Promise.allSettled([addBlob('a'), addLarge('b'), addBlob('c')])).toMatchObject([
      full,
      full,
      full,
    ])
    expect(await stored()).toEqual([])
    await store.write((transaction) => sql`pragma max_page_count = 1000000`.execute(transaction))
    await addLarge('d')
    expect(await stored()).toEqual(['d'.repeat(100_000)])
  },
)

test.runIf(isOnSqlite)(
  'the event loop turns between two groups, after what ran apart, too',
  async () => {
    let turns = 0
    const turn = () => {
      turns += 1
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    onTestFinished(() => clearImmediate(next))
    const turnsAt: number[] = []
    const note = async () => void turnsAt.push(turns)
    const apart = store.writeInWorker({ claim: sql`delete from blobs`, statements: [] })
    let second: Promise<void> | undefined
    const first = store.write(async () => {
      second = store.write(note)
      await note()
    })
    await Promise.all([apart, first])
    await second
    expect(turnsAt[1]).toBeGreaterThan(turnsAt[0]!)
  },
)

test('a group is not synced when all of it is derived or provisional, and is when anything else is in it', async () => {
  let asked = 0
  const synced = (options?: WriteOptions) =>
    store.write(async (transaction) => {
      // As another text each time: SQLite answers when a statement is prepared.
      const text = isOnSqlite
        ? `pragma synchronous -- ${(asked += 1)}`
        : `select case current_setting('synchronous_commit') when 'off' then 1 else 2 end`
      const { rows } = await sql.raw<object>(text).execute(transaction)
      return Object.values(rows[0]!)[0] === 2
    }, options)
  const derived = { derived: true }
  expect(await synced()).toBe(true)
  expect(await Promise.all([synced(derived), synced(derived)])).toEqual([false, false])
  expect(await Promise.all([synced(derived), synced()])).toEqual([true, true])
  const provisional = { provisional: true }
  expect(await Promise.all([synced(derived), synced(provisional)])).toEqual([false, false])
  expect(await Promise.all([synced(provisional), synced()])).toEqual([true, true])
  expect(await synced(derived)).toBe(false)
  expect(await synced()).toBe(true)
})
