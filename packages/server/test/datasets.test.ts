import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Access, Author } from '../src/access/identity.ts'
import { createRepo } from '../src/datasets/create-repo.ts'
import { createView } from '../src/datasets/create-view.ts'
import { deleteDataset } from '../src/datasets/delete-dataset.ts'
import { findDataset } from '../src/store/datasets.ts'
import { insertItem } from '../src/store/items.ts'
import type { Store } from '../src/store/store.ts'
import { DatasetReader } from '../src/reading/dataset-reader.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let folder: string
let database: TestDatabase
let store: Store
let datasets: DatasetReader

const identity = { issuer: 'https://example.org', subject: 'alice' }
const somebody: Author = { identity, visibility: 'all' }
const repo = { name: 'r', schema: [{ name: 'title', type: 'string', length: 20 }] }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  database = await createTestDatabase(folder)
  store = await database.open()
  datasets = new DatasetReader(store, {
    onError: (error) => {
      throw error
    },
  })
})

afterEach(async () => {
  await store.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

async function remove(kind: 'repo' | 'view', name: string): Promise<void> {
  const { id: datasetId } = (await findDataset(store.reads, name))!
  const access: Access = { datasetId, role: 'owner', owners: [] }
  await deleteDataset(store, kind, name, { ...somebody, access, rests: true })
}

test('a name means what it means now, however often it changed hands', async () => {
  for (let round = 0; round < 3; round += 1) {
    expect(await datasets.find('r')).toBe(undefined)
    await createRepo(store, repo, somebody)
    const found = await datasets.find('r')
    expect(await datasets.find('r')).toBe(found)
    expect(found?.schema[0]).toMatchObject({ type: 'string' })
    await remove('repo', 'r')
    expect(await datasets.find('r')).toBe(undefined)
    await createRepo(store, { ...repo, name: 'base' }, somebody)
    await createView(store, { name: 'r', base: 'base' }, somebody)
    const view = await datasets.find('r')
    expect(view?.repoId).not.toBe(view?.id)
    await remove('view', 'r')
    await remove('repo', 'base')
  }
})

test('positions are dense in commit order, however many commit at once and are refused', async () => {
  await createRepo(store, repo, somebody)
  const { id, schema, nonces } = (await findDataset(store.reads, 'r'))!
  const sha256 = '0'.repeat(64)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) =>
      store.write(async (transaction) => {
        const values = new Map([
          ['title', { type: 'string' as const, cell: `${index}`, size: 1, sha256 }],
        ])
        const position = await insertItem(
          transaction,
          { id, schema, nonces },
          { id: index + 1, values, author: 'issuer somebody' },
        )
        if (index % 7 === 0) throw new Error('refused')
        return position
      }),
    ),
  )
  const positions = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(positions).toEqual(positions.map((_, index) => index))
  const dataset = (await datasets.find('r'))!
  expect(await dataset.items.count()).toEqual({ value: positions.length })
  const last = await dataset.items.page({ page: positions.length - 1, pageSize: 1 })
  expect(last).toEqual({ value: [{ id: 200, data: { title: '199' } }], isFinal: true })
})
