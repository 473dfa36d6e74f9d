// @module-tag engines

import { addItem, addItems } from '@vitrine/client'
import type { ItemValue, SchemaField } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'

const optional = { optional: true } as const
const schema: SchemaField[] = [
  { name: 'word', type: 'string', length: 300, ...optional },
  { name: 'site', type: 'url', ...optional },
  { name: 'whole', type: 'integer', ...optional },
  { name: 'real', type: 'number', ...optional },
  { name: 'flag', type: 'boolean', ...optional },
  { name: 'day', type: 'date', ...optional },
  { name: 'at', type: 'timestamp', ...optional },
  { name: 'took', type: 'duration', ...optional },
  { name: 'like', type: 'reference', target: 'words', ...optional },
]

const long = 'é'.repeat(256)
const rows: Record<string, ItemValue>[] = [
  { word: 'Ä', whole: 3, real: -0.5, flag: true, day: '2026-11-27', took: 'PT1S', like: 1 },
  { word: 'a 10', site: 'https://b.example/', real: 1e21, at: '2026-11-27T00:00:00.1Z', like: 2 },
  { word: 'a 9', site: 'https://a.example/', whole: -3, flag: false, took: '-PT0.5S' },
  // More than counts of a text: these two stand as they were added.
  { word: `${long}b`, whole: Number.MAX_SAFE_INTEGER, real: 5e-324, day: '0001-01-01', like: 2 },
  { word: `${long}a`, whole: -Number.MAX_SAFE_INTEGER, real: 0, at: '0001-01-01T00:00:00Z' },
  { word: '\u{1f600}', whole: 3, real: -0.5, flag: true, took: 'P1D' },
  { word: '\uff5e', whole: 0, day: '9999-12-31', at: '2026-11-27T00:00:00Z' },
  { word: 'a' },
  {},
]

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({ body: { name: 'words', schema: [schema[0]!] } })
  await server.client.repoCreate({ body: { name: 'things', schema } })
  for (const word of ['second', 'first']) await addItem(server.client, 'words', { word })
  // More than a scan finds, so that it has to tell which come first.
  const many = Array.from({ length: 15 }, () => rows).flat()
  for await (const added of addItems(server.client, 'things', many)) {
    expect(added).toHaveProperty('id')
  }
})
afterAll(() => server.close())

const names = [...schema.map(({ name }) => name), 'id', 'createdAt', 'like.word']
const keys = [...names.flatMap((name) => [name, `-${name}`]), 'natural:word', '-natural:word']

test.each([...keys, 'flag -real', '-day whole word'])(
  'the first by %s are those of the whole order',
  async (order) => {
    const asked = { datasetId: 'things', order: order.split(' ') }
    const read = async (pageSize: number) =>
      (await server.client.datasetItemList({ ...asked, pageSize })).map(({ id }) => id)
    const scanned = await read(100)
    expect(scanned).toHaveLength(100)
    // So many are read from a listing.
    expect(scanned).toEqual((await read(101)).slice(0, 100))
  },
)
