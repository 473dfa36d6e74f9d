import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRepo } from '../src/datasets/create-repo.ts'
import { extendRepo } from '../src/datasets/extend-repo.ts'
import { RowPacker, unpackRows } from '../src/imports/rows/packed-rows.ts'
import { findDataset } from '../src/store/datasets.ts'
import { endPublishing, insertCheckedRows, reserveItems } from '../src/store/import-items.ts'
import { itemTable } from '../src/store/items.ts'
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
    const place = await reserveItems(transaction, { datasetId: repo.id, importId: 1, rows: 2 })
    for (const list of unpackRows(packed)) {
      const at = { ...place, author: 'issuer somebody' }
      for (const statement of insertCheckedRows(repo, list, at)) {
        await statement.execute(transaction)
      }
    }
    await endPublishing(transaction, { datasetId: repo.id, importId: 1, rows: 2 })
  })
  const { rows } = await sql<{ digests: Uint8Array }>`
    select digests from ${itemTable(repo.id)}`.execute(store.reads)
  expect(rows.map(({ digests }) => digests.length)).toEqual([64, 64])
  const dataset = (await sample.datasets.find('notes'))!
  const { value: items } = await dataset.items.page({ page: 0, pageSize: 10 })
  expect(items.map(({ data }) => data)).toEqual([{ title: 'Kauri', stars: 5 }, { title: 'Rimu' }])
})
