// @module-tag engines

import { addItem, deleteDataset } from '@vitrine/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableNames } from './test-database.ts'
import { png } from './png.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeAll(async () => {
  const env = { VITRINE_DELETED_DAYS: '0' }
  server = await startTestServer(env, { restarts: true, dropGraceMs: 0 })
})

afterAll(() => server.close())

const createRepo = (name: string, schema: object[] = [{ name: 'title', type: 'string' }]) =>
  server.client.repoCreate({ body: { name, schema } })

/** Counts rows in the database, read beside the server. */
const count = (table: string) =>
  server.database.use(async ({ reads }) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)}`.execute(reads)
    return rows[0]!.n
  })

const tables = () =>
  server.database.use(async ({ reads }) => {
    const names = await tableNames(reads)
    return names.filter((name) => name.startsWith('items_')).length
  })

test('a dataset that others refer to is not deleted, and the refusal names them', async () => {
  const { client } = server
  await createRepo('base')
  await client.viewCreate({ body: { name: 'shown', base: 'base' } })
  await createRepo('points', [{ name: 'at', type: 'reference', target: 'base' }])
  await expect(client.repoDelete({ datasetId: 'base' })).rejects.toMatchObject({
    status: 409,
    code: 'DATASET_REFERENCED',
    body: { details: { referencedBy: ['points', 'shown'] } },
  })
  await client.viewCreate({ body: { name: 'shown-again', base: 'shown' } })
  await expect(client.viewDelete({ datasetId: 'shown' })).rejects.toMatchObject({
    code: 'DATASET_REFERENCED',
    body: { details: { referencedBy: ['shown-again'] } },
  })
  for (const name of ['shown-again', 'shown', 'points', 'base']) {
    await deleteDataset(client, await client.datasetGet({ datasetId: name }))
    await expect(client.datasetGet({ datasetId: name })).rejects.toMatchObject({
      code: 'DATASET_NOT_FOUND',
    })
  }
  expect(await client.datasetList({})).toEqual([])
})

test('a repository that refers to itself can be deleted', async () => {
  const { referencesTo, referencedBy } = await createRepo('tree', [
    { name: 'parent', type: 'reference', target: 'tree', optional: true },
  ])
  expect({ referencesTo, referencedBy }).toEqual({ referencesTo: ['tree'], referencedBy: ['tree'] })
  await server.client.repoDelete({ datasetId: 'tree' })
})

test('a call deletes its own kind only', async () => {
  const { client } = server
  await createRepo('kind')
  await client.viewCreate({ body: { name: 'kind-view', base: 'kind' } })
  await expect(client.viewDelete({ datasetId: 'kind' })).rejects.toMatchObject({
    code: 'VIEW_NOT_FOUND',
    message: 'view not found',
  })
  await expect(client.repoDelete({ datasetId: 'kind-view' })).rejects.toMatchObject({
    code: 'REPO_NOT_FOUND',
    message: 'repo not found',
  })
  await client.viewDelete({ datasetId: 'kind-view' })
  await client.repoDelete({ datasetId: 'kind' })
})

test('open inserts end with their repository, and a new one of that name begins empty', async () => {
  const { client } = server
  await createRepo('short')
  await addItem(client, 'short', { title: 'first' })
  const { id } = await client.insertBegin({ datasetId: 'short' })
  await client.repoDelete({ datasetId: 'short' })
  const commit = () =>
    client.insertCommit({ datasetId: 'short', itemId: id, body: { integrity: {} } })
  await expect(commit()).rejects.toMatchObject({ code: 'REPO_OR_ITEM_NOT_FOUND' })
  await createRepo('short', [{ name: 'other', type: 'string' }])
  await expect(commit()).rejects.toMatchObject({ code: 'REPO_OR_ITEM_NOT_FOUND' })
  expect(await client.datasetItemList({ datasetId: 'short' })).toEqual([])
  await expect(client.datasetItemGet({ datasetId: 'short', itemId: 1 })).rejects.toMatchObject({
    code: 'DATASET_OR_ITEM_NOT_FOUND',
  })
})

test(
  'the items of a deleted repository are removed, and what they say of blobs',
  { tags: 'long' },
  async () => {
    const { client } = server
    await createRepo('heavy', [{ name: 'image', type: 'binary', mime: 'image/png' }])
    for (let index = 0; index < 40; index += 1) {
      await addItem(client, 'heavy', { image: new Blob([png], { type: 'image/png' }) })
    }
    const before = await tables()
    expect(await count('blob_references')).toBe(40)
    await client.repoDelete({ datasetId: 'heavy' })
    // It is resumed by the next start wherever the stop found it.
    await server.restart()
    await expect.poll(() => count('dropped_repos')).toBe(0)
    expect(await count('blob_references')).toBe(0)
    expect(await tables()).toBeLessThan(before)
  },
)

test('an export of a repository that is removed meanwhile is whole or not found', async () => {
  const { client } = server
  const statuses = new Set<number>()
  for (let round = 0; round < 40; round += 1) {
    await createRepo('going')
    await addItem(client, 'going', { title: 'here' })
    const exported = server.request('/api/dataset/going/export?format=ndjson')
    const [reply] = await Promise.all([exported, client.repoDelete({ datasetId: 'going' })])
    const text = await reply.text()
    statuses.add(reply.status)
    if (reply.status === 200) expect(text).toContain('here')
    else expect(JSON.parse(text)).toMatchObject({ code: 'DATASET_NOT_FOUND' })
  }
  expect([200, 404]).toEqual(expect.arrayContaining([...statuses]))
})

test('concurrent creates and deletes never leave a view without its base', async () => {
  const { client } = server
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => {
      if (index % 3 === 0) return createRepo('race')
      if (index % 3 === 1) return client.repoDelete({ datasetId: 'race' })
      return client.viewCreate({ body: { name: 'race-view', base: 'race' } })
    }),
  )
  const codes = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { code?: string }).code,
  )
  for (const code of codes) {
    expect(['done', 'REPO_NOT_FOUND', 'DATASET_REFERENCED', 'REQUEST_INVALID']).toContain(code)
  }
  const names = (await client.datasetList({ pageSize: 1000 })).map(({ name }) => name)
  if (names.includes('race-view')) expect(names).toContain('race')
})
