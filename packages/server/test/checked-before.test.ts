import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRepo } from '../src/datasets/create-repo.ts'
import { extendRepo } from '../src/datasets/extend-repo.ts'
import { RowPacker, unpackRows } from '../src/imports/rows/packed-rows.ts'
import { findCorrectable } from '../src/store/corrections.ts'
import { findDataset, type Dataset } from '../src/store/datasets.ts'
import {
  endPublishing,
  insertCheckedRows,
  removeUnpublished,
  reserveItems,
} from '../src/store/import-items.ts'
import { itemTable } from '../src/store/items.ts'
import type { Transaction } from '../src/store/store.ts'
import { hasSuperseded } from '../src/store/superseded.ts'
import { SampleStore } from './sample-store.ts'

const identity = { issuer: 'https://example.org', subject: 'alice' }
const schema = [
  { name: 'title', type: 'string', length: 20 },
  { name: 'stars', type: 'integer', optional: true },
]
let sample: SampleStore

beforeAll(async () => {
  sample = await SampleStore.open()
})

afterAll(() => sample[Symbol.asyncDispose]())

test('rows that were checked before their repository was extended are published after it', async () => {
  const { store } = sample
  await createRepo(store, { name: 'notes', schema }, { identity, visibility: 'all' })
  const before = (await findDataset(store.reads, 'notes'))!
  const packer = new RowPacker(before.schema)
  packer.add(['Kauri', 5])
  packer.add(['Rimu', null])
  const packed = packer.take()

  const more = { name: 'more', type: 'string', length: 5, optional: true }
  const image = { name: 'image', type: 'binary', mime: 'image/*', optional: true }
  const extended = { name: 'notes', schema: [...schema, more, image] }
  await extendRepo(store, 'notes', extended, {
    identity,
    visibility: 'all',
    access: { datasetId: before.id, role: 'owner', owners: [] },
  })
  const repo = (await findDataset(store.reads, 'notes'))!
  expect(repo.schema).toHaveLength(4)
  await store.write(async (transaction) => {
    await insertRows(transaction, repo, packed)
    await endPublishing(transaction, { datasetId: repo.id, importId: 1, rows: 2 })
  })
  const { rows } = await sql<{ digests: Uint8Array }>`
    select digests from ${itemTable(repo.id)}`.execute(store.reads)
  expect(rows.map(({ digests }) => digests.length)).toEqual([9, 9])
  const dataset = (await sample.datasets.find('notes'))!
  const { value: items } = await dataset.items.page({ page: 0, pageSize: 10 })
  expect(items.map(({ data }) => data)).toEqual([{ title: 'Kauri', stars: 5 }, { title: 'Rimu' }])
})

test('items are not replaced before the rows that replace them are committed, or where these are removed', async () => {
  const { store } = sample
  await createRepo(store, { name: 'trees', schema }, { identity, visibility: 'all' })
  const repo = (await findDataset(store.reads, 'trees'))!
  const add = async (cells: string[], { replaces, rows }: { replaces?: number; rows: number }) => {
    const packer = new RowPacker(schema as Dataset['schema'])
    const corrected = replaces === undefined ? undefined : { replaces, withdraws: false }
    for (const cell of cells) packer.add([cell, null], corrected)
    await store.write(async (transaction) => {
      await insertRows(transaction, repo, packer.take())
      await endPublishing(transaction, { datasetId: repo.id, importId: 1, rows })
    })
  }
  const replacementOf = async (itemId: number) =>
    (await findCorrectable(store.reads, repo.id, itemId))?.replacement?.id
  await add(['Kauri', 'Rimu'], { rows: 2 })

  await add(['Totara'], { replaces: 1, rows: 0 })
  expect(await replacementOf(1)).toBeUndefined()
  expect(await hasSuperseded(store.reads, repo.id)).toBe(false)

  await store.write(async (transaction) => {
    for (const statement of removeUnpublished(repo, { from: 2, to: 3 })) {
      await statement.execute(transaction)
    }
  })
  await add(['Matai'], { replaces: 1, rows: 1 })
  expect(await replacementOf(1)).toBe(4)
  expect(await hasSuperseded(store.reads, repo.id)).toBe(true)
})

async function insertRows(
  transaction: Transaction,
  repo: Dataset,
  packed: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const lists = [...unpackRows(packed)]
  const rows = lists.reduce((sum, { count }) => sum + count, 0)
  const place = await reserveItems(transaction, { datasetId: repo.id, importId: 1, rows })
  for (const list of lists) {
    for (const statement of insertCheckedRows(repo, list, {
      ...place,
      author: 'issuer somebody',
    })) {
      await statement.execute(transaction)
    }
  }
}
