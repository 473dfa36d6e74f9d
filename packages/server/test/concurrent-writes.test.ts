// @module-tag engines

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { now } from '../src/store/engine-sql.ts'
import type { Write } from '../src/store/group-commit.ts'
import { statement } from '../src/store/statement.ts'
import type { Transaction } from '../src/store/store.ts'
import { sharedStore } from './shared-store.ts'
import { isOnSqlite } from './test-database.ts'

const store = sharedStore()

const ask = statement<object>(() => sql`select 1 as one`)

/** A write of two statements, which notes when it begins and ends. */
const noting =
  (events: string[], name: string): Write<void> =>
  async (transaction) => {
    events.push(`${name} begins`)
    await ask(transaction, {})
    await ask(transaction, {})
    events.push(`${name} ends`)
  }

const oneAfterTheOther = (...names: string[]) =>
  names.flatMap((name) => [`${name} begins`, `${name} ends`])

test.skipIf(isOnSqlite)('writes of other keys do not wait for each other', async () => {
  const both = Promise.withResolvers<void>()
  let begun = 0
  const meet = async (transaction: Transaction) => {
    await ask(transaction, {})
    begun += 1
    if (begun === 2) both.resolve()
    await both.promise
    await ask(transaction, {})
    return begun
  }
  const write = (concurrencyKey: string) => store().write(meet, { concurrencyKey })
  expect(await Promise.all(['a', 'b'].map(write))).toEqual([2, 2])
})

test('writes of one key run one after the other', async () => {
  const events: string[] = []
  const write = (name: string) => store().write(noting(events, name), { concurrencyKey: 'same' })
  await Promise.all(['a', 'b', 'c'].map(write))
  expect(events).toEqual(oneAfterTheOther('a', 'b', 'c'))
})

test('a write without a key runs after those before it and before those after it', async () => {
  const events: string[] = []
  await Promise.all([
    store().write(noting(events, 'a'), { concurrencyKey: 'a' }),
    store().write(noting(events, 'b')),
    store().write(noting(events, 'c')),
    store().write(noting(events, 'd'), { concurrencyKey: 'd' }),
  ])
  expect(events).toEqual(oneAfterTheOther('a', 'b', 'c', 'd'))
})

const insertBlob = statement<{ sha256: string }>(
  (slot) => sql`
    insert into blobs (sha256, size, created_at, state)
    values (${slot('sha256')}, 1, ${now}, 'live')`,
)

// After a failure PostgreSQL refuses to prepare a statement, and says of each further use that it is not there.
test('a refused write is told from those that failed with it, and statements stay prepared', async () => {
  await store().write((transaction) => insertBlob(transaction, { sha256: 'a' }))
  const count = statement<object, { count: number }>(() => sql`select count(*) as count from blobs`)
  const insertAgain = async (transaction: Transaction) => {
    try {
      await insertBlob(transaction, { sha256: 'a' })
    } finally {
      // Those that fail because of this one have ended before it.
      await setImmediate()
    }
  }
  const outcomes = await Promise.allSettled([
    store().write(insertAgain, { concurrencyKey: '0' }),
    ...['1', '2', '3'].map((concurrencyKey) =>
      store().write((transaction) => count(transaction, {}), { concurrencyKey }),
    ),
  ])
  const counted = { status: 'fulfilled', value: [{ count: 1 }] }
  expect(outcomes).toMatchObject([{ status: 'rejected' }, counted, counted, counted])
  if (isOnSqlite) return
  const prepared = await store().write(async (transaction) => {
    await ask(transaction, {})
    return sql`select 1 from pg_prepared_statements where statement = 'select 1 as one'`.execute(
      transaction,
    )
  })
  expect(prepared.rows).toHaveLength(1)
})
