import { sql } from 'kysely'
import { addItem } from '@vitrine/client'
import { progressHeader } from '@vitrine/contract'
import { afterEach, expect, test } from 'vitest'
import { tableNames } from './test-database.ts'
import type { StartOptions } from '../src/start.ts'
import { bodyOf } from './body-of.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

afterEach(() => server.close())

async function start(options: StartOptions = {}): Promise<void> {
  server = await startTestServer({}, { dropGraceMs: 0, ...options, restarts: true })
  await server.client.repoCreate({
    body: { name: 'words', schema: [{ name: 'word', type: 'string' }] },
  })
  for (const word of ['one', 'two', 'three']) await addItem(server.client, 'words', { word })
}

const create = (name: string, description: object) =>
  server.client.viewCreate({ body: { name, base: 'words', ...description } })

/** The tables of listings and the rows that speak of them, read beside the server. */
function kept(): Promise<{ tables: number; rows: number }> {
  return server.database.use(async ({ reads }) => {
    const names = await tableNames(reads)
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from listings) + (select count(*) from listing_blocks) as n
    `.execute(reads)
    return {
      tables: names.filter((name) => /^(members|keys|order)_\d/.test(name)).length,
      rows: rows[0]!.n,
    }
  })
}

test('a partial read of a view returns the items found so far, with its progress', async () => {
  const impatient = { partial: 0, whole: 0, preview: 0, background: 60_000 }
  await start({ viewBudgets: impatient })
  const { client } = server
  for (const [name, clauses] of Object.entries({
    filtered: { where: { word: { contains: 'o' } } },
    sorted: { order: 'word' },
  })) {
    const path = `/api/dataset/${name}`
    await create(name, clauses)
    const before = name === 'filtered' ? [1, 2] : [1, 4, 3, 2]
    const read = async () => {
      const reply = await server.request(`${path}/item?partial=true`)
      expect(reply.status).toBe(200)
      const items = (await reply.json()) as { id: number }[]
      return { ids: items.map(({ id }) => id), progress: reply.headers.get(progressHeader) }
    }
    await expect.poll(read, { interval: 1 }).toEqual({ ids: before, progress: null })

    const id = await addItem(client, 'words', { word: 'oops' })
    const after = name === 'filtered' ? [1, 2, id] : [1, 4, id, 3, 2]
    const whole = { ids: after, progress: null }
    const progress = `${id - 1}/${id}`
    // The work that the read began may be done before an order is read.
    expect([{ ids: before, progress }, whole]).toContainEqual(await read())
    const count = await server.request(`${path}/count?partial=true`)
    expect([null, progress]).toContain(count.headers.get(progressHeader))
    // The work went on behind the reply.
    await expect.poll(read, { interval: 1 }).toEqual(whole)
  }
  const preview = await client.viewPreview({ body: { name: 'p', base: 'words', limit: 2 } })
  expect(preview).toMatchObject({ items: [], totalItems: 0, exact: false, scanned: 0 })
  expect(preview.funnel).toMatchObject([{ exact: false }, { exact: false }])
})

test('nothing is said of an item that a view has not looked at', async () => {
  await start({ viewBudgets: { partial: 0, whole: 0, preview: 0, background: 60_000 } })
  const { client } = server
  await create('filtered', { where: { word: { contains: 'o' } } })
  // Not by the client, which asks again.
  const get = async (itemId: number) => {
    const reply = await server.request(`/api/dataset/filtered/item/${itemId}`)
    return bodyOf(reply)
  }
  await expect.poll(() => get(2), { interval: 1 }).toMatchObject({ id: 2 })
  expect(await get(3)).toMatchObject({ code: 'DATASET_OR_ITEM_NOT_FOUND' })
  const itemId = await addItem(client, 'words', { word: 'oops' })
  expect(await get(itemId)).toMatchObject({ code: 'VIEW_NOT_READY' })
  await expect.poll(() => get(itemId), { interval: 1 }).toMatchObject({ id: itemId })
})

test('deleting a view removes what it kept', async () => {
  await start()
  const { client } = server
  expect(await kept()).toEqual({ tables: 0, rows: 0 })
  await create('filtered', { where: { word: { contains: 'o' } } })
  await create('sorted', { base: 'filtered', order: 'word' })
  expect(await client.datasetItemList({ datasetId: 'sorted' })).toHaveLength(2)
  expect(await kept()).toMatchObject({ tables: 3 })
  await expect(client.viewDelete({ datasetId: 'filtered' })).rejects.toMatchObject({
    code: 'DATASET_REFERENCED',
  })
  await client.viewDelete({ datasetId: 'sorted' })
  await client.viewDelete({ datasetId: 'filtered' })
  // It is resumed by the next start wherever the stop found it.
  await server.restart()
  await expect.poll(kept).toEqual({ tables: 0, rows: 0 })
  expect(await client.datasetCount({ datasetId: 'words' })).toEqual({ totalItems: 3 })
})

test('tables that a limited view no longer needs are removed', async () => {
  await start()
  const { client } = server
  await create('sorted', { order: 'word' })
  await create('top', { base: 'sorted', limit: 2 })
  await create('newest-of-top', { base: 'top', order: '-id' })
  const ids = async () =>
    (await client.datasetItemList({ datasetId: 'newest-of-top' })).map(({ id }) => id)
  expect(await ids()).toEqual([3, 1])
  const before = (await kept()).tables
  const added = await addItem(client, 'words', { word: 'a' })
  expect(await ids()).toEqual([added, 1])
  await addItem(client, 'words', { word: 'zzz' })
  expect(await ids()).toEqual([added, 1])
  await expect.poll(async () => (await kept()).tables).toBe(before)
  expect(await ids()).toEqual([added, 1])
})
