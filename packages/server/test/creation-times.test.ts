// @module-tag engines

import { addItem } from '@vitrine/client'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
  const schema = [{ name: 'word', type: 'string', length: 10 }]
  await server.client.repoCreate({ body: { name: 'words', schema } })
  await addItem(server.client, 'words', { word: 'one' })
})

afterEach(() => server.close())

const later = Date.UTC(2099, 0)

/** Sets the last item years ahead, as a clock would that was set back since. */
function setLastItemLater(): Promise<unknown> {
  return server.database.use((store) =>
    store.write((transaction) =>
      sql`update items_1 set created_at = ${later}`.execute(transaction),
    ),
  )
}

const times = () =>
  server.database.use(async ({ reads }) => {
    const { rows } = await sql<{ time: number }>`
      select created_at as time from items_1 order by position`.execute(reads)
    return rows.map(({ time }) => time)
  })

test('an item is never created before the one before it', async () => {
  await setLastItemLater()
  await addItem(server.client, 'words', { word: 'two' })
  await addItem(server.client, 'words', { word: 'three' })
  expect(await times()).toEqual([later, later, later])
})

test('creation times never decrease among items that are added at once', async () => {
  await setLastItemLater()
  const words = Array.from({ length: 50 }, (_, index) => `${index}`)
  await Promise.all(words.map((word) => addItem(server.client, 'words', { word })))
  expect(await times()).toEqual(Array.from({ length: 51 }, () => later))
})

test('creation times never decrease in an import or after it', { tags: 'long' }, async () => {
  await setLastItemLater()
  const body = '{"word":"two"}\n{"word":"three"}\n'
  const begun = { datasetId: 'words', format: 'ndjson', body } as never
  expect(await server.client.importBegin(begun)).toMatchObject({ publishedRows: 2 })
  await addItem(server.client, 'words', { word: 'four' })
  expect(await times()).toEqual([later, later, later, later])
})

test('creation times advance with the clock', async () => {
  const before = Date.now() - 1000
  await addItem(server.client, 'words', { word: 'two' })
  const [first = 0, second = 0] = await times()
  expect(second).toBeGreaterThanOrEqual(first)
  expect(second).toBeGreaterThanOrEqual(before)
})
