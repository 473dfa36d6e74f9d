import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportState } from '@vitrine/contract'
import { parquetWriteBuffer, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { png, refusal, sha256 } from './photos.ts'
import { expectRoundTrip } from './round-trip.ts'
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
  expect(state).toMatchObject({ state: 'done', rows: 4, refusedRows: 0 })
  const items = await server.client.datasetItemList({ datasetId })
  const words = ['1.5', '2', '-3', '1e+21']
  expect(items.map(({ data }) => data)).toEqual(words.map((word) => ({ word })))
})

test('bytes are text in UTF-8 where the field is no binary, as Polars writes JSON', async () => {
  const schema = [
    { name: 'key', type: 'string', length: 5 },
    { name: 'more', type: 'json', optional: true },
  ]
  await server.client.repoCreate({ body: { name: 'bytes', schema } })
  const bytes = (texts: string[]) =>
    texts.map((text) => new Uint8Array(Buffer.from(text, 'latin1')))
  const body = write([
    { name: 'key', data: bytes(['a', 'b', '\xff']), type: 'BYTE_ARRAY' },
    { name: 'more', data: bytes(['{"a":[1]}', '"x"', '5']), type: 'BYTE_ARRAY' },
  ])
  const begun = { datasetId: 'bytes', format: 'parquet', body } as const
  expect(await refusal(server.client.importBegin(begun))).toMatchObject({
    problems: ['row 3, key: must be valid UTF-8', 'row 3, key: is required'],
  })
  await server.client.importBegin({ ...begun, mode: 'skip' })
  const items = await server.client.datasetItemList({ datasetId: 'bytes' })
  expect(items.map(({ data }) => data)).toEqual([
    { key: 'a', more: { a: [1] } },
    { key: 'b', more: 'x' },
  ])
})

test('decimals and times become texts that say them exactly', async () => {
  const folder = join(import.meta.dirname, '../../rows/test/files')
  const names = ['int32', 'int64', 'fixed', 'wide', 'micro', 'micro_utc', 'nano', 'day', 'time']
  const schema = names.map((name) => ({ name, type: 'string', length: 100, optional: true }))
  await server.client.repoCreate({ body: { name: 'typed', schema } })
  const others = ['whole', 'milli', 'nano_utc', 'time_milli', 'large', 'bytes']
  const columns = Object.fromEntries(others.map((name) => [name, null]))
  const body = readFileSync(join(folder, 'pyarrow.parquet'))
  await server.client.importBegin({ datasetId: 'typed', format: 'parquet', columns, body })
  const items = await server.client.datasetItemList({ datasetId: 'typed' })
  expect(items.map(({ data }) => data)).toMatchObject([
    {
      int32: '5.00',
      int64: '5.00',
      fixed: '5.00',
      wide: `${'9'.repeat(70)}.123456`,
      micro: '1969-12-31T23:59:59.999999',
      micro_utc: '1969-12-31T23:59:59.999999Z',
      nano: '1969-12-31T23:59:59.999999999',
      day: '1969-12-31',
      time: '00:00:00',
    },
    { int32: '0.35', micro: '0001-01-01T00:00:00', day: '0001-01-01', time: '23:59:59.999999' },
    { int32: '-0.01', micro: '9999-12-31T23:59:59.5', day: '9999-12-31', time: '12:30:00.25' },
    {},
  ])
  const refused = await refusal(
    server.client.importBegin({
      datasetId: 'typed',
      format: 'parquet',
      columns: { ...nestedOthers, took: 'time' },
      body: readFileSync(join(folder, 'nested.parquet')),
    }),
  )
  expect(refused).toMatchObject({
    code: 'IMPORT_MALFORMED',
    problems: [
      'the column "took" has durations in lists or structures, whose unit would be lost; write it as text',
    ],
  })
})

const nestedOthers = Object.fromEntries(
  ['list', 'deep', 'struct', 'structs', 'map', 'lists', 'twice', 'fixed', 'floats', 'bytes'].map(
    (name) => [name, null],
  ),
)

test('a column without any value goes out and comes back', async () => {
  const schema = [
    { name: 'word', type: 'string', length: 10 },
    { name: 'note', type: 'string', length: 10, optional: true },
  ]
  await server.client.repoCreate({ body: { name: 'sparse', schema } })
  const body = '{"word":"one"}\n{"word":"two"}\n'
  await server.client.importBegin({ datasetId: 'sparse', format: 'ndjson', body })
  expect(await expectRoundTrip(server.client, 'sparse', 'parquet')).toBe(2)
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
    problems: ['row 8, see: there is no item 999 in "words"'],
  })
  expect(await importFile(write(columns), 'skip')).toMatchObject({ rows: 10, publishedRows: 9 })
})

test('columns of many bytes are read apart', async () => {
  const note = Array.from({ length: 60_000 }, (_, row) => sha256(String(row)))
  const columns = ['first', 'second', 'third']
  const schema = columns.map((name) => ({ name, type: 'string', length: 64 }))
  await server.client.repoCreate({ body: { name: 'notes', schema } })
  const body = write(
    columns.map((name) => ({ name, data: note, type: 'STRING' })),
    undefined,
    note.length,
  )
  const state = await server.client.importBegin({ datasetId: 'notes', format: 'parquet', body })
  expect(state).toMatchObject({ state: 'done', publishedRows: note.length })
})

describe('columns of bytes', () => {
  const pictures = Array.from({ length: 150 }, (_, index) => Buffer.concat([png, Buffer.of(index)]))
  const bytes = (name: string, data: (Uint8Array | null)[]): ColumnSource => {
    return { name, data, type: 'BYTE_ARRAY' }
  }
  const titles = (count: number): ColumnSource => {
    return { name: 'title', data: Array.from({ length: count }, String), type: 'STRING' }
  }
  const send = (columns: ColumnSource[], mode: 'all' | 'skip' = 'all') => {
    const body = write(columns, undefined, 100)
    return server.client.importBegin({ datasetId: 'pictures', format: 'parquet', mode, body })
  }

  beforeAll(async () => {
    const schema = [
      { name: 'title', type: 'string', length: 10 },
      { name: 'image', type: 'binary', mime: 'image/*' },
      { name: 'thumb', type: 'binary', mime: 'image/png', optional: true },
    ]
    await server.client.repoCreate({ body: { name: 'pictures', schema } })
  })

  test('hold the values of binary fields, with the media type as the field or the bytes say', async () => {
    const thumbs = pictures.map((_, index) => (index % 2 === 0 ? png : null))
    const state = await send([titles(150), bytes('image', pictures), bytes('thumb', thumbs)])
    expect(state).toMatchObject({ state: 'done', publishedRows: 150 })
    await server.upkeep()
    const seal = { sha256: sha256(png), size: png.length, mime: 'image/png' }
    for (const index of [0, 1, 149]) {
      const itemId = state.items!.firstId + index
      const { integrity } = await server.client.datasetItemGet({ datasetId: 'pictures', itemId })
      const image = { sha256: sha256(pictures[index]!), size: png.length + 1, mime: 'image/png' }
      expect(integrity).toMatchObject({ image, ...(index % 2 === 0 && { thumb: seal }) })
      const value = { datasetId: 'pictures', itemId, fieldName: 'image' }
      const blob = await server.client.datasetFieldGet(value)
      expect(Buffer.from(await blob.arrayBuffer())).toEqual(pictures[index])
    }
  })

  test('are checked for their digest, presence and media type', async () => {
    const digest = { name: 'image.sha256', data: [sha256('x'), null, null, null], type: 'STRING' }
    const data = [png, null, Buffer.from('no picture'), png]
    const state = await send([titles(4), bytes('image', data), digest as ColumnSource], 'skip')
    expect(state).toMatchObject({ rows: 4, refusedRows: 3, publishedRows: 1 })
    const refused = await refusal(send([titles(4), bytes('image', data), digest as ColumnSource]))
    expect(refused).toMatchObject({
      code: 'IMPORT_REFUSED',
      problems: [
        `row 1, image: has the sha256 ${sha256(png)}`,
        'row 2, image: is required',
        'row 3, image: must be image/*, and say which',
      ],
    })
  })
})

describe('lists, structs and maps', () => {
  const file = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../rows/test/files', `${name}.parquet`))

  test('are imported as JSON', async () => {
    const names = ['list', 'struct', 'map', 'days', 'uuids', 'enums', 'jsons', 'floats']
    const schema = names.map((name) => ({ name, type: 'json' }))
    await server.client.repoCreate({ body: { name: 'nested', schema } })
    const columns = { large: null }
    const body = file('nested-duckdb')
    await server.client.importBegin({ datasetId: 'nested', format: 'parquet', columns, body })
    const [item] = await server.client.datasetItemList({ datasetId: 'nested' })
    expect(item!.data).toEqual({
      list: [1, null, 3],
      struct: { a: 1, b: [{ c: '5.00' }] },
      map: { k: 1, l: null },
      days: { '2026-11-22': ['x'] },
      uuids: ['b5f1a3f0-0000-4000-8000-000000000001'],
      enums: ['x'],
      jsons: ['{"a": 1.0}'],
      floats: [12.5],
    })
  })

  test('with what JSON does not have are refused, by the row', async () => {
    const names = ['list', 'deep', 'struct', 'structs', 'map', 'lists', 'twice', 'fixed', 'floats']
    const schema = names.map((name) => ({ name, type: 'json', optional: true }))
    await server.client.repoCreate({ body: { name: 'nested-odd', schema } })
    const columns = { bytes: null, took: null }
    const import3 = { datasetId: 'nested-odd', format: 'parquet', body: file('nested') } as const
    expect(await refusal(server.client.importBegin({ ...import3, columns }))).toMatchObject({
      code: 'IMPORT_REFUSED',
      problems: [
        'row 1, twice: must not have the same key twice',
        'row 1, floats: must have no infinity',
        'row 2, floats: must have no infinity',
      ],
    })
    expect(await refusal(server.client.importBegin(import3))).toMatchObject({
      code: 'IMPORT_MALFORMED',
    })
  })

  test('of many rows arrive in their order', async () => {
    const schema = [{ name: 'many', type: 'json', optional: true }]
    await server.client.repoCreate({ body: { name: 'nested-many', schema } })
    const body = file('nested-many-2')
    await server.client.importBegin({ datasetId: 'nested-many', format: 'parquet', body })
    const page = { datasetId: 'nested-many', page: 1, pageSize: 1000 }
    const items = await server.client.datasetItemList(page)
    expect(items[503]!.data).toEqual({
      many: Array.from({ length: 1503 % 7 }, (_, item) => {
        return { n: 1503, text: '1503'.repeat(item % 3) }
      }),
    })
  })
})

const words = write([{ name: 'word', data: ['a', 'b'], type: 'STRING' }])
/** A column `word` of the types that are given, from the outermost on. */
const typed = (value: unknown, [word, ...inner]: Omit<SchemaElement, 'name'>[]) =>
  write(
    [{ name: 'word', data: [value, value] }],
    [
      { name: 'root', num_children: 1 },
      { name: 'word', repetition_type: 'OPTIONAL', ...word },
      ...inner.map((element, depth) => ({ name: `inner${depth}`, ...element })),
    ],
  )
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const
const group = { num_children: 1, repetition_type: 'REPEATED' } as const
const struct = typed({ inner0: 'a' }, [{ num_children: 1 }, text])
const list = typed(['a', 'b'], [{ num_children: 1, converted_type: 'LIST' }, group, text])
const interval = typed(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), [
  { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' },
])
const twice = write([
  { name: 'word', data: ['a'], type: 'STRING' },
  { name: 'word', data: ['b'], type: 'STRING' },
])
const other = write([{ name: 'wort', data: ['a'], type: 'STRING' }])
/** In Thrift's compact protocol: the type INT32, how often it is there, and the name (of 4 bytes). */
const int32Word = Buffer.from('150225021804776f7264', 'hex')
const tomorrow = Buffer.from(write([{ name: 'word', data: [1, 2], type: 'INT32' }]))
tomorrow[tomorrow.indexOf(int32Word) + 1] = 2 * 20
const long = write([{ name: 'word', data: ['x'.repeat(17 * 1024 ** 2)], type: 'STRING' }])
const bytes = write([{ name: 'word', data: [new Uint8Array([255])], type: 'BYTE_ARRAY' }])
const broken = words.slice(0)
new Uint8Array(broken).fill(0xee, 4, 20)

test.each<[string, BodyInit, string, RegExp]>([
  ['no Parquet', 'word\na\n', 'IMPORT_MALFORMED', /is no Parquet file/],
  ['a file cut off', words.slice(0, -20), 'IMPORT_MALFORMED', /is no Parquet file, or is cut off/],
  ['a footer of nothing', new Blob([new Uint8Array(40), 'PAR1']), 'IMPORT_MALFORMED', /footer/],
  ['a struct', struct, 'IMPORT_REFUSED', /^row 1, word: must be text/],
  ['a list', list, 'IMPORT_REFUSED', /^row 1, word: must be text/],
  ['an interval', interval, 'IMPORT_REFUSED', /^row 1, word: has months, whose lengths vary/],
  ['a type of tomorrow', tomorrow, 'IMPORT_MALFORMED', /footer/],
  ['a column twice', twice, 'IMPORT_MALFORMED', /^columns.word_2: .*column 2 is called "word"/],
  ['another column', other, 'IMPORT_MALFORMED', /^columns.wort: .* did you mean "word"/],
  ['a row of 17 MB', long, 'IMPORT_REFUSED', /^row 1: is longer than 16 MiB/],
  ['pages of noise', broken, 'IMPORT_MALFORMED', /^row 1: cannot be decoded/],
  ['bytes that are no text', bytes, 'IMPORT_REFUSED', /^row 1, word: must be valid UTF-8/],
])('%s is refused', async (_, body, code, reason) => {
  const before = await server.client.datasetCount({ datasetId })
  const refused = (await refusal(importFile(body))) as { problems: string[] }
  expect(refused).toMatchObject({ status: 422, code })
  expect(refused.problems[0]).toMatch(reason)
  expect(await server.client.datasetCount({ datasetId })).toEqual(before)
})
