// @module-tag engines

import { exportedHeader, type ExportFormat } from '@vitrine/contract'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awkwardText } from './awkward-text.ts'
import { bodyOf } from './body-of.ts'
import { startTestServer, type TestServer } from './server.ts'
import { times } from './times.ts'

let server: TestServer

const words = ['delta', 'alpha', 'echo', 'bravo', 'charlie']

beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  const schema = [
    { name: 'word', type: 'string', length: 100 },
    { name: 'note', type: 'string', length: 1000, optional: true },
  ]
  await client.repoCreate({ body: { name: 'words', schema } })
  await client.repoCreate({ body: { name: 'copy', schema } })
  await add(words.map((word) => ({ word })))
  const views = [
    { name: 'filtered', where: { word: { contains: 'a' } } },
    { name: 'sorted', order: ['word'] },
    { name: 'first', order: ['-word'], limit: 3 },
  ]
  for (const view of views) await client.viewCreate({ body: { base: 'words', ...view } })
  await client.viewCreate({ body: { name: 'anew', base: 'first', order: ['word'] } })
})

afterAll(() => server.close())

type Row = { word: string; note?: string | null }
const ndjson = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

async function add(rows: Row[], datasetId = 'words'): Promise<void> {
  await server.client.importBegin({ datasetId, format: 'ndjson', body: ndjson(rows) })
}

async function open(path: string): Promise<Response> {
  const response = await server.request(`/api/dataset/${path}`)
  expect(response.status).toBe(200)
  return response
}

const text = async (path: string) => (await open(path)).text()
const rowsOf = async (path: string) =>
  (await text(path))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: number; word: string })

test.each([
  ['words', words],
  ['filtered', ['delta', 'alpha', 'bravo', 'charlie']],
  ['sorted', words.toSorted()],
  ['first', ['echo', 'delta', 'charlie']],
  ['anew', ['charlie', 'delta', 'echo']],
])('%s is exported in its order, whole and by positions', async (name, expected) => {
  const response = await open(`${name}/export?format=ndjson`)
  expect(response.headers.get(exportedHeader)).toBe(`0-${expected.length}/${expected.length}`)
  expect(response.headers.get('content-disposition')).toContain(`${name}.ndjson`)
  expect((await rowsOf(`${name}/export?format=ndjson`)).map(({ word }) => word)).toEqual(expected)
  const part = await rowsOf(`${name}/export?format=ndjson&from=1&to=3`)
  expect(part.map(({ word }) => word)).toEqual(expected.slice(1, 3))
})

test('NDJSON and CSV say what an item is', async () => {
  const [first] = await rowsOf('words/export?format=ndjson&to=1&integrity=true')
  const item = await server.client.datasetItemGet({ datasetId: 'words', itemId: first!.id })
  expect(first).toEqual({
    id: item.id,
    createdAt: item.createdAt,
    ...item.data,
    'word.sha256': item.integrity!['word']!.sha256,
  })
  expect(await text('words/export?format=csv&to=1')).toBe(
    `id,createdAt,word,note\r\n${item.id},${item.createdAt},delta,\r\n`,
  )
})

test('CSV guards against formulas where it is asked to', async () => {
  const cells = ['=1+1', '+1', '-1.5e3', '-x', '@SUM(A1)', "'=1", "it's", '\tx', 'a=b']
  await server.client.repoCreate({
    body: { name: 'cells', schema: [{ name: 'cell', type: 'string', length: 20 }] },
  })
  const body = ndjson(cells.map((cell) => ({ cell })))
  await server.client.importBegin({ datasetId: 'cells', format: 'ndjson', body })
  const cellsOf = async (query: string) =>
    (await text(`cells/export?format=csv${query}`))
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2])
  const guarded = ["'=1+1", '+1', '-1.5e3', "'-x", "'@SUM(A1)", "''=1", "it's", "'\tx", 'a=b']
  expect(await cellsOf('&guard=true')).toEqual(guarded)
  expect(await cellsOf('')).toEqual(cells)
})

test('items added while an export runs are not in it', async () => {
  await server.client.repoCreate({
    body: { name: 'many', schema: [{ name: 'word', type: 'string', length: 100 }] },
  })
  await server.client.viewCreate({ body: { name: 'many-sorted', base: 'many', order: ['word'] } })
  const rows = Array.from({ length: 40_000 }, (_, row) => ({
    word: `${row % 97} ${row}`.padEnd(90),
  }))
  await add(rows, 'many')
  for (const name of ['many', 'many-sorted']) {
    const { client } = server
    const { totalItems } = await client.datasetCount({ datasetId: 'many' })
    const response = await open(`${name}/export?format=ndjson`)
    expect(response.headers.get(exportedHeader)).toBe(`0-${totalItems}/${totalItems}`)
    await add(
      Array.from({ length: 500 }, (_, row) => ({ word: `${row % 97} 5 later` })),
      'many',
    )
    const got = (await response.text()).trim().split('\n')
    expect(got).toHaveLength(totalItems)
    expect(got.filter((line) => line.includes('later'))).toHaveLength(totalItems - 40_000)
  }
})

test('an export that nobody reads any more ends', async () => {
  const ended = async () => {
    const metrics = await (await server.request('/metrics')).text()
    return Number(/_count\{call="datasetExport",status="200"\} (\d+)/.exec(metrics)?.[1] ?? 0)
  }
  const before = await ended()
  const abort = new AbortController()
  const response = await server.request('/api/dataset/many/export?format=ndjson', {
    signal: abort.signal,
  })
  await response.body!.getReader().read()
  abort.abort()
  await expect.poll(ended).toBe(before + 1)
  expect((await open('many/count')).status).toBe(200)
})

test.each([
  ['from=99', 'from', 'must be at most 5, where the items end'],
  ['guard=maybe', 'guard', 'must be true or false'],
])('%s is refused', async (query, name, reason) => {
  const response = await server.request(`/api/dataset/words/export?format=csv&${query}`)
  expect(response.status).toBe(400)
  expect(await bodyOf(response)).toMatchObject({
    code: 'QUERY_INVALID',
    details: { problems: [{ path: [name], reason }] },
  })
})

const formats: [ExportFormat & ('ndjson' | 'csv' | 'tsv' | 'parquet' | 'xlsx'), string][] = [
  ['ndjson', ''],
  ['csv', ''],
  ['tsv', ''],
  ['csv', '&guard=true'],
  ['tsv', '&guard=true'],
  ['parquet', ''],
  ['xlsx', ''],
]

test('an export in any format can be imported again with the same digests', async () => {
  const { client } = server
  const digestsOf = async (name: string, from: number) =>
    (await rowsOf(`${name}/export?format=ndjson&integrity=true&from=${from}`)).map((row) => ({
      ...row,
      id: undefined,
      createdAt: undefined,
    }))
  const rows = fc.array(fc.record({ word: awkwardText, note: fc.option(awkwardText) }), {
    minLength: 1,
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(...formats), async (made, [format, guard]) => {
      const from = (await client.datasetCount({ datasetId: 'words' })).totalItems
      const copied = (await client.datasetCount({ datasetId: 'copy' })).totalItems
      await add(made)
      const exported = await open(
        `words/export?format=${format}&integrity=true&from=${from}${guard}`,
      )
      const body = await exported.blob()
      const imported = { datasetId: 'copy', format, guard: guard !== '', body } as const
      expect(await client.importBegin(imported)).toMatchObject({ state: 'done' })
      const original = await digestsOf('words', from)
      expect(original.map(({ word }) => word)).toEqual(made.map(({ word }) => word))
      expect(await digestsOf('copy', copied)).toEqual(original)
    }),
    { numRuns: times('EXPORT_CASES', { first: 8, whole: 30 }) },
  )
})
