// @module-tag engines

import { addItems } from '@vitrine/client'
import { limits } from '@vitrine/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInWindows } from '../src/reading/snapshot.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Bytes of each text: some 34 are more than a page may have. */
const length = 1_000_000
const count = 40
const schema = [
  { name: 'number', type: 'integer' },
  { name: 'text', type: 'string', length },
]

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.client.repoCreate({ body: { name: 'fat', schema } })
  const rows = Array.from({ length: count }, (_, number) => ({ number, text: 'x'.repeat(length) }))
  for (const row of rows) {
    for await (const added of addItems(server.client, 'fat', [row]))
      expect(added).toHaveProperty('id')
  }
  for (const view of [
    { name: 'turned', base: 'fat', order: '-number' },
    { name: 'some', base: 'fat', where: { number: { lt: 39 } } },
  ]) {
    await server.client.viewCreate({ body: view })
  }
})
afterAll(() => server.close())

const numbers = Array.from({ length: count }, (_, number) => number)
const datasets = { fat: numbers, turned: numbers.toReversed(), some: numbers.slice(0, 39) }

test.each(Object.entries(datasets))(
  'a page of %s has at most 32 MiB',
  async (datasetId, expected) => {
    const page = (pageSize: number) => server.client.datasetItemList({ datasetId, pageSize })
    expect((await page(30)).map(({ data }) => data['number'])).toEqual(expected.slice(0, 30))
    await expect(page(100)).rejects.toMatchObject({ status: 413, code: 'PAGE_TOO_LARGE' })
    await expect(page(100)).rejects.toThrow(/pageSize/)
  },
)

test.each(Object.entries(datasets))(
  'all items of %s are streamed in smaller pages',
  async (datasetId, expected) => {
    const found: unknown[] = []
    for await (const { data } of server.client.items(datasetId)) found.push(data['number'])
    expect(found).toEqual(expected)
  },
)

test.each(Object.keys(datasets))('an export of %s has every row', async (name) => {
  const reply = await server.request(`/api/dataset/${name}/export?format=ndjson`)
  const lines = (await reply.text()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(datasets[name as 'fat'])
})

test.each(Object.entries(datasets))(
  'a page of %s has the beginnings of its texts',
  async (datasetId, expected) => {
    const found = await server.client.datasetItemList({ datasetId, pageSize: 1000, cut: 5 })
    expect(found.map(({ data }) => data)).toEqual(
      expected.map((number) => ({ number, text: 'xxxxx' })),
    )
    expect(found.every(({ cut }) => cut?.['text'] === length)).toBe(true)
  },
)

test('only strings and JSON are cut, by code points, and say how long they are', async () => {
  const url = `https://example.org/${'y'.repeat(100)}`
  const values = { short: 'ab', emoji: '😀'.repeat(7), facts: { a: [1, 2, 3] }, url }
  await server.client.repoCreate({
    body: {
      name: 'mixed',
      schema: [
        { name: 'short', type: 'string', length: 2 },
        { name: 'emoji', type: 'string', length: 10 },
        { name: 'facts', type: 'json' },
        { name: 'url', type: 'url' },
        { name: 'none', type: 'string', length: 100, optional: true },
      ],
    },
  })
  for await (const added of addItems(server.client, 'mixed', [values]))
    expect(added).toHaveProperty('id')
  const list = (cut?: number) =>
    server.client.datasetItemList({ datasetId: 'mixed', ...(cut && { cut }) })
  expect(await list()).toEqual([{ id: 1, data: values }])
  expect(await list(100)).toEqual([{ id: 1, data: values }])
  const cut = { short: 'ab', emoji: '😀'.repeat(3), facts: '{"a', url }
  expect(await list(3)).toEqual([{ id: 1, data: cut, cut: { emoji: 7, facts: 13 } }])
  await expect(list(100_001)).rejects.toMatchObject({ code: 'QUERY_INVALID' })
})

test('texts along a reference and casts are cut in a view', async () => {
  const { client } = server
  await client.repoCreate({
    body: { name: 'pointers', schema: [{ name: 'to', type: 'reference', target: 'mixed' }] },
  })
  for await (const added of addItems(client, 'pointers', [{ to: 1 }])) {
    expect(added).toHaveProperty('id')
  }
  const fields = [
    { name: 'emoji', from: 'to.emoji' },
    { name: 'facts', from: 'to.facts', as: 'string' },
  ]
  await client.viewCreate({ body: { name: 'along', base: 'pointers', fields } })
  await client.viewCreate({ body: { name: 'again', base: 'along', order: 'emoji' } })
  const item = { id: 1, data: { emoji: '😀😀', facts: '{"' }, cut: { emoji: 7, facts: 13 } }
  for (const datasetId of ['along', 'again']) {
    expect(await client.datasetItemList({ datasetId, cut: 2 })).toEqual([item])
  }
})

test('a preview has the beginnings of long texts', async () => {
  const body = { name: 'seen', base: 'fat', where: { number: { lt: 2 } } }
  const { items } = await server.client.viewPreview({ body })
  expect(items.map(({ data, cut }) => [(data['text'] as string).length, cut])).toEqual([
    [limits.cut, { text: length }],
    [limits.cut, { text: length }],
  ])
})

test('a window with more text than it may have is read with fewer rows', async () => {
  const sizes: [number, number][] = []
  const windows = readInWindows({ from: 0, to: 200 }, async ({ from, to, bytesMax }) => {
    // Every row but the first hundred has a million bytes.
    const bytes = Math.max(0, to - Math.max(from, 100)) * length
    if (bytes > bytesMax) return [0, null]
    sizes.push([from, to])
    return [to - from, Array.from({ length: to - from }, () => '[1]').join(',')]
  })
  let rows = 0
  for await (const window of windows) rows += window.count
  expect(rows).toBe(200)
  for (const [from, to] of sizes) expect(to - Math.max(from, 100)).toBeLessThanOrEqual(4)
})
