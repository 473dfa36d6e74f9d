import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRepo } from '../src/datasets/create-repo.ts'
import { findDataset } from '../src/store/datasets.ts'
import { ItemIds } from '../src/store/item-ids.ts'
import type { Store } from '../src/store/store.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let folder: string
let database: TestDatabase
let store: Store
let repoId: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  database = await createTestDatabase(folder)
  store = await database.open()
  const schema = [{ name: 'title', type: 'string', length: 10 }]
  await createRepo(
    store,
    { name: 'notes', schema },
    {
      identity: { issuer: 'issuer', subject: 'somebody' },
      visibility: 'all',
    },
  )
  repoId = (await findDataset(store.reads, 'notes'))!.id
})

afterEach(async () => {
  await store.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const give = (ids: ItemIds, count: number) =>
  Promise.all(Array.from({ length: count }, () => ids.give(repoId)))

const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index)

/** Returns what a start would find after a power cut: nothing is below it but what is durable. */
const firstFree = async () => {
  const { next_item_id: next } = await store.reads
    .selectFrom('datasets')
    .select('next_item_id')
    .where('id', '=', repoId)
    .executeTakeFirstOrThrow()
  return next
}

test('ids follow each other, however many are asked for at once', async () => {
  expect(await give(new ItemIds(store), 3000)).toEqual(from(1, 3000))
})

test('no id is given that is not durably taken', async () => {
  const ids = new ItemIds(store)
  for (let given = 0; given < 100; given += 1) {
    expect(await ids.give(repoId)).toBeLessThan(await firstFree())
  }
})

test('unused ids are given back at a stop, and lost when the process is killed', async () => {
  const stopped = new ItemIds(store)
  await give(stopped, 5)
  await stopped.close()
  const killed = new ItemIds(store)
  expect(await give(killed, 1)).toEqual([6])
  const next = await firstFree()
  expect(await give(new ItemIds(store), 1)).toEqual([next])
})

test('two processes never give the same, and one gives back only what nobody took after it', async () => {
  const [one, other] = [new ItemIds(store), new ItemIds(store)]
  const given = [...(await give(one, 3)), ...(await give(other, 3)), ...(await give(one, 40))]
  expect(new Set(given).size).toBe(46)
  await other.close()
  await one.close()
  const [next] = await give(new ItemIds(store), 1)
  expect(given.every((id) => id! < next!)).toBe(true)
})

test('a repository that is gone has none', async () => {
  const ids = new ItemIds(store)
  expect(await ids.give(repoId + 1)).toBeUndefined()
})

test('ids given back before an import are given again when the import takes none', async () => {
  const ids = new ItemIds(store)
  await give(ids, 5)
  await ids.giveBack(repoId)
  expect(await firstFree()).toBe(6)
  expect(await give(ids, 2)).toEqual([6, 7])
})
