// @module-tag whole
// @module-tag imports

import { columnOf, hostilePages } from './hostile-pages.ts'
import { emptyStructs, footerOnly, sharedText, textLength } from './hostile-parquet.ts'
import { zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
const datasetId = 'texts'

beforeAll(async () => {
  server = await startTestServer()
  const text = { name: 'text', type: 'string', length: textLength } as const
  const number = { name: 'number', type: 'string', length: 5 } as const
  await server.client.repoCreate({ body: { name: datasetId, schema: [text, number] } })
  await server.client.repoCreate({ body: { name: 'pages', schema: [text] } })
})

afterAll(() => server.close())

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test('rows that share a large text are cut into blocks by what they unpack to', async () => {
  const numbers = numbersTo(40).with(17, 'too long')
  const body = sharedText(numbers)
  expect(body.byteLength).toBeLessThan(2000)
  const begun = { datasetId, format: 'parquet', mode: 'skip', body } as const
  const { key, ...state } = await server.client.importBegin(begun)
  expect(state).toMatchObject({ state: 'done', rows: 40, refusedRows: 1, publishedRows: 39 })
  const report = await server.client.importReport({ datasetId, importKey: key })
  expect(JSON.parse(await report.text())).toMatchObject({ row: 18, field: 'number' })
  const items = await server.client.datasetItemList({ datasetId, pageSize: 40, cut: 10 })
  expect(items.map(({ data }) => data['number'])).toEqual(numbers.toSpliced(17, 1))
})

test.each(['all', 'skip'] as const)(
  'a file of 1,500 such rows is refused once it has unpacked to 64 MiB (mode=%s)',
  async (mode) => {
    const body = sharedText(numbersTo(1500))
    expect(body.byteLength).toBeLessThan(20_000)
    const before = await server.client.datasetCount({ datasetId })
    const importKey = `bomb-${mode}`
    const begun = { datasetId, format: 'parquet', mode, key: importKey, body } as const
    expect(await refusal(server.client.importBegin(begun))).toEqual({
      status: 422,
      code: 'IMPORT_MALFORMED',
      problems: [expect.stringMatching(/^row 6\d: unpacks to more than 200 times its size$/)],
    })
    const { rows } = await server.client.importGet({ datasetId, importKey })
    expect(rows).toBeLessThan(80)
    expect(await server.client.datasetCount({ datasetId })).toEqual(before)
  },
)

test('pages that unpack to more than the file may are not unpacked', async () => {
  const text = 'x'.repeat(textLength)
  const data = Array.from({ length: 100 }, (_, index) => `${text.slice(3)}${index}`)
  const body = parquetWriteBuffer({
    columnData: [
      { name: 'text', data, type: 'STRING', encoding: 'PLAIN' },
      { name: 'number', data: numbersTo(100), type: 'STRING' },
    ],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    statistics: false,
    pageSize: 200 * 1024 ** 2,
  })
  const begun = { datasetId, format: 'parquet', body } as const
  expect(await refusal(server.client.importBegin(begun))).toMatchObject({
    code: 'IMPORT_MALFORMED',
    problems: [
      expect.stringContaining('cannot be decoded: unpacks to more than 200 times its size'),
    ],
  })
})

test.each([
  // Thrift's compact protocol: the second member, a list of 2^32 - 1 structs, of which none is there.
  ['claims more than it has', Buffer.from('29fcffffffff0f', 'hex')],
  ['is a list of 8 million empty structs', emptyStructs(8_000_000)],
])('a footer that %s is refused before anything is made of it', async (_, footer) => {
  const begun = { datasetId, format: 'parquet', body: footerOnly(footer) } as const
  expect(await refusal(server.client.importBegin(begun))).toEqual({
    status: 422,
    code: 'IMPORT_MALFORMED',
    problems: ['has a footer of more than 4000000 values: write it in larger groups of rows'],
  })
})

test.each([
  ['claims 134 million nulls', 'a page says that it has 134217000 values'],
  ['claims 134 million entries of no bits', 'a page says that it has 134217000 values'],
  ['claims 134 million truth values', 'a page says that it has 134217000 values'],
  ['claims less than no values', 'a page says that it has -134217000 values'],
  ['claims 134 million elements of a list', 'unpacks to more than 200 times its size'],
  ['begins within a list', 'a column begins within a row'],
  ['has levels beyond its lists', 'a run is of 3, in 1 bits'],
  ['has fewer lists than rows', 'text has not as many rows as its group'],
  ['has less than no children', 'text has not as many rows as its group'],
  ['has a run longer than itself', 'a run is longer than its page'],
  ['has less than no nulls', 'a page has 1000 values of which -134217000 are null'],
  ['has a dictionary of 134 million entries', 'a page says that it has 134217000 values'],
  ['has texts that unfold', 'unpacks to more than 200 times its size'],
  ['has deltas in 67 million parts', /^blocks of deltas have \d+ values in 67108864 parts$/],
  ['has a value longer than itself', 'a value is cut off'],
  ['has a header that is cut off', 'a page is cut off'],
  ['has a header with a number without an end', 'a page is cut off'],
  ['is shorter than its header says', 'a page is cut off'],
  ['has fewer values than its group has rows', 'a page is cut off'],
])('a page that %s is refused', async (what, reason) => {
  const begun = { datasetId: 'pages', format: 'parquet', body: hostilePages[what]! } as const
  const refused = (await refusal(server.client.importBegin(begun))) as { problems: string[] }
  expect(refused).toMatchObject({ status: 422, code: 'IMPORT_MALFORMED' })
  expect(refused.problems).toHaveLength(1)
  const [, why] = /^row 1: cannot be decoded: (.*)$/.exec(refused.problems[0]!)!
  expect(why).toMatch(reason)
})

test('a group of less than no rows is refused', async () => {
  const body = columnOf(new Uint8Array(), {}, -5)
  const begun = { datasetId: 'pages', format: 'parquet', body } as const
  expect(await refusal(server.client.importBegin(begun))).toEqual({
    status: 422,
    code: 'IMPORT_MALFORMED',
    problems: ['has a group of -5 rows'],
  })
})
