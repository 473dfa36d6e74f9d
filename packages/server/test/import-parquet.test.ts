import type { ImportState } from '@vitrine/contract'
import { parquetWriteBuffer, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
const datasetId = 'words'

beforeAll(async () => {
  server = await startTestServer()
  const schema = [
    { name: 'word', type: 'string', length: 10 },
    { name: 'see', type: 'reference', target: datasetId, optional: true },
  ]
  await server.client.repoCreate({ body: { name: datasetId, schema } })
})

afterAll(() => server.close())

const write = (columnData: ColumnSource[], schema?: SchemaElement[], rowGroupSize = 3) =>
  parquetWriteBuffer({ columnData, rowGroupSize, ...(schema && { schema }) })

const importFile = (body: BodyInit, mode: 'all' | 'skip' = 'all'): Promise<ImportState> =>
  server.client.importBegin({ datasetId, format: 'parquet', mode, body })

test('numbers, moments and absent values become what they are as text', async () => {
  const data = [1n, 2n ** 53n, null, 4n]
  const state = await importFile(
    write([
      { name: 'id', data: [7, 8, 9, 10], type: 'INT32' },
      { name: 'word', data: [1.5, 2, -3, 1e21], type: 'DOUBLE' },
      { name: 'see', data: data.map(() => null), type: 'INT64' },
    ]),
    'skip',
  )
  expect(state).toMatchObject({ state: 'done', rows: 4, refusedRows: 1 })
  const items = await server.client.datasetItemList({ datasetId })
  expect(items.map(({ data }) => data)).toEqual([{ word: '1.5' }, { word: '2' }, { word: '-3' }])
})

test('references are checked, over groups of rows', async () => {
  const [first] = await server.client.datasetItemList({ datasetId, pageSize: 1 })
  const word = Array.from({ length: 10 }, (_, row) => `w${row}`)
  const see = word.map((_, row) => (row === 7 ? 999n : BigInt(first!.id)))
  const columns: ColumnSource[] = [
    { name: 'word', data: word, type: 'STRING' },
    { name: 'see', data: see, type: 'INT64' },
  ]
  expect(await refusal(importFile(write(columns)))).toMatchObject({
    code: 'IMPORT_REFUSED',
    problems: ['8.see: there is no item 999 in "words"'],
  })
  expect(await importFile(write(columns), 'skip')).toMatchObject({ rows: 10, publishedRows: 9 })
})

const words = write([{ name: 'word', data: ['a', 'b'], type: 'STRING' }])
const nested = write(
  [{ name: 'word', data: [{ inner: 1 }, { inner: 2 }] }],
  [
    { name: 'root', num_children: 1 },
    { name: 'word', num_children: 1, repetition_type: 'OPTIONAL' },
    { name: 'inner', type: 'INT32', repetition_type: 'OPTIONAL' },
  ],
)
const bytes = write([{ name: 'word', data: [new Uint8Array([255])], type: 'BYTE_ARRAY' }])
const broken = words.slice(0)
new Uint8Array(broken).fill(0xee, 4, 20)

test.each<[string, BodyInit, string, RegExp]>([
  ['no Parquet', 'word\na\n', 'IMPORT_MALFORMED', /is no Parquet file/],
  ['a file cut off', words.slice(0, -20), 'IMPORT_MALFORMED', /is no Parquet file, or is cut off/],
  ['a footer of nothing', new Blob([new Uint8Array(40), 'PAR1']), 'IMPORT_MALFORMED', /footer/],
  ['a nested column', nested, 'IMPORT_MALFORMED', /"word" is nested/],
  ['pages of noise', broken, 'IMPORT_MALFORMED', /^1: cannot be decoded/],
  ['bytes that are no text', bytes, 'IMPORT_REFUSED', /^1.word: must be text/],
])('%s is refused', async (_, body, code, reason) => {
  const before = await server.client.datasetCount({ datasetId })
  const refused = (await refusal(importFile(body))) as { problems: string[] }
  expect(refused).toMatchObject({ status: 422, code })
  expect(refused.problems[0]).toMatch(reason)
  expect(await server.client.datasetCount({ datasetId })).toEqual(before)
})
