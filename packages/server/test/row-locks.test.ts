// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRepo } from '../src/datasets/create-repo.ts'
import {
  type Dataset,
  findDataset,
  lockDataset,
  lockDatasetById,
  lockRevision,
} from '../src/store/datasets.ts'
import type { RowLock } from '../src/store/engine-sql.ts'
import { rowLock } from '../src/store/expressions.ts'
import { insertImport, lockImport } from '../src/store/imports.ts'
import { lockInsert, openInsert } from '../src/store/inserts.ts'
import { createListing, lockListing } from '../src/store/listings.ts'
import { lockCatalogue, lockSnapshotRoom } from '../src/store/leases.ts'
import type { Store, Transaction } from '../src/store/store.ts'
import { type TestDatabase, createTestDatabase, isOnSqlite } from './test-database.ts'
import { until } from './until.ts'

const alice = { issuer: 'https://issuer.example', subject: 'alice' }
const createdBy = 'https://issuer.example alice'
const name = 'notes'

// SQLite has one writer at a time.
describe.skipIf(isOnSqlite)('rows that two processes lock', () => {
  let folder: string
  let database: TestDatabase
  let store: Store
  let other: Store
  let dataset: Dataset

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    database = await createTestDatabase(folder)
    store = await database.open()
    other = await database.open()
    await createRepo(
      store,
      { name, schema: [{ name: 'title', type: 'string', length: 20 }] },
      { identity: alice, visibility: 'all' },
    )
    dataset = (await findDataset(store.reads, name))!
  })

  afterEach(async () => {
    await other.close()
    await store.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const insert = () => ({ datasetId: dataset.id, itemId: 1, createdBy })
  const addListing = (transaction: Transaction) => {
    const owner = { datasetId: dataset.id, exploration: '', orderRevision: dataset.orderRevision }
    const listing = { kind: 'members', state: 'building', basis: null } as const
    return createListing(transaction, owner, listing)
  }
  const addImport = (transaction: Transaction) =>
    insertImport(transaction, {
      datasetId: dataset.id,
      key: 'key',
      options: '{}',
      createdBy,
      readsAll: true,
    })

  /** Whether another transaction waits for this one. */
  const isAwaited = async (transaction: Transaction) => {
    const waiting = await sql`
      select pid from pg_locks
      where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(transaction)
    return waiting.rows.length > 0
  }

  // The table of conflicts in PostgreSQL's manual, "Row-Level Locks".
  test.for<{ held: RowLock; compatible: RowLock[] }>([
    { held: 'keep', compatible: ['keep', 'share', 'change'] },
    { held: 'share', compatible: ['keep', 'share'] },
    { held: 'change', compatible: ['keep'] },
    { held: 'remove', compatible: [] },
  ])('locked with "$held" can be locked with $compatible', async ({ held, compatible }) => {
    const select = (strength: RowLock) => sql`select id from datasets ${rowLock(strength)}`
    const isGranted = (strength: RowLock) =>
      other.write(async (beside) => {
        const { rows } = await sql`${select(strength)} skip locked`.execute(beside)
        return rows.length > 0
      })
    await store.write(async (transaction) => {
      await select(held).execute(transaction)
      const granted: RowLock[] = []
      for (const strength of ['keep', 'share', 'change', 'remove'] as const) {
        if (await isGranted(strength)) granted.push(strength)
      }
      expect(granted).toEqual(compatible)
    })
  })

  test.for<{
    what: string
    add?: (write: Transaction) => Promise<unknown>
    lock: (write: Transaction) => unknown
  }>([
    { what: 'a dataset by its name', lock: (write) => lockDataset(write, name) },
    { what: 'a dataset by its id', lock: (write) => lockDatasetById(write, dataset.id) },
    { what: 'a revision', lock: (write) => lockRevision(write, name) },
    { what: 'the catalogue', lock: lockCatalogue },
    { what: 'the room of snapshots', lock: lockSnapshotRoom },
    {
      what: 'an insert',
      add: (write) => openInsert(write, { ...insert(), deadlineMs: 60_000 }),
      lock: (write) => lockInsert(write, insert()),
    },
    { what: 'a listing', add: addListing, lock: (write) => lockListing(write, 1) },
    { what: 'an import', add: addImport, lock: (write) => lockImport(write, 1) },
  ])('wait for each other: $what', async ({ add, lock }) => {
    if (add !== undefined) await store.write(add)
    const order: string[] = []
    let second: Promise<unknown> | undefined
    await store.write(async (transaction) => {
      await lock(transaction)
      second = other.write(async (beside) => {
        await lock(beside)
        order.push('second')
      })
      await until(async () => order.length > 0 || isAwaited(transaction))
      order.push('first')
    })
    await second
    expect(order).toEqual(['first', 'second'])
  })
})
