import { zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from './photos.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
const datasetId = 'texts'
const textLength = 1_000_000

beforeAll(async () => {
  server = await startTestServer()
  const text = { name: 'text', type: 'string', length: textLength } as const
  const number = { name: 'number', type: 'string', length: 5 } as const
  await server.client.repoCreate({ body: { name: datasetId, schema: [text, number] } })
})

afterAll(() => server.close())

/** Rows of one text that stands in the file once, in a dictionary. */
function dictionaryFile(numbers: readonly string[]): ArrayBuffer {
  const text = 'x'.repeat(textLength)
  return parquetWriteBuffer({
    columnData: [
      { name: 'text', data: numbers.map(() => text), type: 'STRING', encoding: 'RLE_DICTIONARY' },
      { name: 'number', data: [...numbers], type: 'STRING' },
    ],
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    statistics: false,
    rowGroupSize: numbers.length,
  })
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test('A7: rows that share a large text are cut into blocks by what they unpack to', async () => {
  const numbers = numbersTo(40).with(17, 'too long')
  const body = dictionaryFile(numbers)
  expect(body.byteLength).toBeLessThan(2000)
  const begun = { datasetId, format: 'parquet', mode: 'skip', body } as const
  const { key, ...state } = await server.client.importBegin(begun)
  expect(state).toMatchObject({ state: 'done', rows: 40, refusedRows: 1, publishedRows: 39 })
  const report = await server.client.importReport({ datasetId, importKey: key })
  expect(JSON.parse(await report.text())).toMatchObject({ row: 18, field: 'number' })
  const items = await server.client.datasetItemList({ datasetId, pageSize: 40 })
  expect(items.map(({ data }) => data['number'])).toEqual(numbers.toSpliced(17, 1))
})

test.each(['all', 'skip'] as const)(
  'A7: a file of 1,500 such rows is refused once it has unpacked to 64 MiB (mode=%s)',
  async (mode) => {
    const body = dictionaryFile(numbersTo(1500))
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

test('A7: pages that unpack to more than the file may are not unpacked', async () => {
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
  })
  const begun = { datasetId, format: 'parquet', body } as const
  expect(await refusal(server.client.importBegin(begun))).toMatchObject({
    code: 'IMPORT_MALFORMED',
    problems: [expect.stringContaining('unpacks to more than 200 times its size')],
  })
})
