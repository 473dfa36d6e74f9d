import { zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { durationText } from '@vitrine/contract/values/duration'
import { Bool, tableFromIPC } from 'apache-arrow'
import { parquetMetadata } from 'hyparquet'
import { expect, it } from 'vitest'
import { parquetColumns } from '../src/parquet/parquet-columns.ts'
import { type ReadColumn, readParquetColumn } from '../src/parquet/read-parquet-column.ts'
import { type Cell, toRowLists } from '../src/write/row-lists.ts'
import { type WrittenFormat, openRowWriter } from '../src/write/row-writer.ts'
import { columns, rows, shortest, textsOf, toText, write } from './written-rows.ts'

async function readParquetTexts(file: ArrayBuffer, count: number): Promise<(string | null)[][]> {
  const metadata = parquetMetadata(file)
  const read: (string | null)[][] = []
  for (const column of parquetColumns(metadata)) {
    const range = { from: 0, to: count }
    const values = await readParquetColumn({ file, metadata }, column as ReadColumn, range)
    read.push(values.map((value) => (value === undefined || value === null ? null : toText(value))))
  }
  return Array.from({ length: count }, (_, at) => read.map((values) => values[at]!))
}

it(
  'rows written as Parquet with Snappy and with zstd are read back unchanged',
  { tags: 'long' },
  async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (given, isZstd) => {
        const format = {
          kind: 'parquet',
          ...(isZstd && { compressZstd: zstdCompressSync }),
        } as const
        const file = (await write(format, given)).buffer
        expect(parquetMetadata(file).schema.at(-1)).toMatchObject({ converted_type: 'JSON' })
        const wanted = textsOf(given).map((texts) => texts.map(shortest))
        expect(await readParquetTexts(file, given.length)).toEqual(wanted)
      }),
    )
  },
)

/** Texts of the values that Arrow holds, by its types. */
const arrowTexts: Record<string, (value: never) => string> = {
  Int64: String,
  Float64: String,
  Bool: String,
  // The library's own decoder takes a mark at the beginning away.
  Utf8: (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  'Date32<DAY>': (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  'Timestamp<MICROSECOND, UTC>': (micros: bigint) => {
    const seconds = BigInt.asIntN(64, micros - (((micros % 1_000_000n) + 1_000_000n) % 1_000_000n))
    const fraction = String(micros - seconds)
      .padStart(6, '0')
      .replace(/0+$/, '')
    const whole = new Date(Number(seconds / 1000n)).toISOString().slice(0, 19)
    return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
  },
  'Duration<MICROSECOND>': (micros: bigint) => durationText(micros, 6),
}

function readArrowTexts(file: Uint8Array, count: number): (string | null)[][] {
  const table = tableFromIPC(file)
  expect(table.schema.names).toEqual(columns.map(({ name }) => name))
  const read = columns.map((_, index) =>
    table.getChildAt(index)!.data.flatMap((data) => {
      const { type, values, valueOffsets: offsets, nullBitmap } = data
      const isSet = (bits: Uint8Array, at: number) => ((bits[at >> 3]! >> (at & 7)) & 1) === 1
      const valueAt = (row: number): unknown => {
        if (type instanceof Bool) return isSet(values, row)
        return offsets ? values.subarray(offsets[row], offsets[row + 1]) : values[row]
      }
      const toText = arrowTexts[String(type)]!
      return Array.from({ length: data.length }, (_, row) =>
        data.nullCount > 0 && !isSet(nullBitmap, row) ? null : toText(valueAt(row) as never),
      )
    }),
  )
  return Array.from({ length: count }, (_, at) => read.map((values) => values[at]!))
}

it('rows written as Arrow are read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const wanted = textsOf(given).map((texts) => texts.map(shortest))
      expect(readArrowTexts(await write({ kind: 'arrow' }, given), given.length)).toEqual(wanted)
    }),
  )
})

/** Rows of more than two groups: some values come again and again, some never do, some are long. */
const manyRows = Array.from({ length: 20_000 }, (_, at): readonly Cell[] => {
  const hour = String(at % 24).padStart(2, '0')
  return [
    at % 5000 === 0 ? 'long "text"\n🦊 '.repeat(10_000) : `text ${at % 3 === 0 ? at : at % 7}`,
    at % 2 === 0 ? at - 10_000 : null,
    (at % 100) / 8,
    at % 3 === 0 ? null : at % 2,
    at < 9000 ? null : `20${hour}-02-03`,
    `2026-11-27T${hour}:00:00.25`,
    1_764_200_000_000 + Math.floor(at / 1000),
    at * 1_000_003 - 2 ** 40,
    at % 4 === 0 ? null : JSON.stringify({ at: at % 10, 'a key': ['ä'] }),
  ]
})

it('some groups of rows are read back unchanged from Parquet and from Arrow', async () => {
  const wanted = textsOf(manyRows).map((texts) => texts.map(shortest))
  const parquet = await writeInWindows({ kind: 'parquet', compressZstd: zstdCompressSync })
  expect(await readParquetTexts(parquet.buffer, manyRows.length)).toEqual(wanted)
  const { row_groups } = parquetMetadata(parquet.buffer)
  const encodings = row_groups[1]!.columns.map(({ meta_data }) => meta_data!.encodings.at(-1))
  expect(encodings.filter((each) => each === 'RLE_DICTIONARY').length).toBeGreaterThan(3)
  expect(encodings.filter((each) => each === 'PLAIN').length).toBeGreaterThan(2)
  expect(readArrowTexts(await writeInWindows({ kind: 'arrow' }), manyRows.length)).toEqual(wanted)
})

async function writeInWindows(format: WrittenFormat): Promise<Uint8Array<ArrayBuffer>> {
  const writer = await openRowWriter(format, columns)
  const written = [writer.begin()]
  for (let from = 0; from < manyRows.length; from += 1500) {
    written.push(writer.write(toRowLists(manyRows.slice(from, from + 1500))))
  }
  written.push(writer.end())
  return new Uint8Array(Buffer.concat(written))
}

it('a file of Arrow without rows has the columns, and which of them have no gaps', async () => {
  const writer = await openRowWriter({ kind: 'arrow' }, [
    { name: 'id', kind: 'integer', isRequired: true },
    { name: 'took', kind: 'duration' },
  ])
  const { schema, numRows } = tableFromIPC(Buffer.concat([writer.begin(), writer.end()]))
  expect(numRows).toBe(0)
  expect(schema.fields.map((field) => `${String(field)} ${field.nullable}`)).toEqual([
    'id: Int64 false',
    'took: Duration<MICROSECOND> true',
  ])
})

it('a group of Parquet ends at 8192 rows, or at 4 MiB of what came', async () => {
  const writer = await openRowWriter({ kind: 'parquet' }, [{ name: 'word', kind: 'text' }])
  const file = [writer.begin()]
  const many = toRowLists(Array.from({ length: 4096 }, () => ['x']))
  const long = toRowLists([['y'.repeat(3 * 1024 ** 2)]])
  const emptyAfter = [many, many, long, long].map((each) => {
    const bytes = writer.write(each)
    file.push(bytes)
    return bytes.length === 0
  })
  expect(emptyAfter).toEqual([true, false, true, false])
  file.push(writer.end())
  const { row_groups } = parquetMetadata(new Uint8Array(Buffer.concat(file)).buffer)
  expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([8192n, 2n])
})

it('a group of Parquet has as many rows as it is to have', async () => {
  const format = { kind: 'parquet', groupRows: 20_000 } as const
  const writer = await openRowWriter(format, [{ name: 'word', kind: 'text' }])
  const some = toRowLists(Array.from({ length: 10_000 }, () => ['x']))
  const file = [
    writer.begin(),
    ...[some, some, some].map((each) => writer.write(each)),
    writer.end(),
  ]
  const { row_groups } = parquetMetadata(new Uint8Array(Buffer.concat(file)).buffer)
  expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([20_000n, 10_000n])
})

it.each([
  ['short', ['a', 'z'], { min: 'a', max: 'z' }],
  [
    'long',
    ['a'.repeat(1000), 'z'.repeat(1000)],
    { min: 'a'.repeat(16), max: `${'z'.repeat(15)}{` },
  ],
  [
    'the greatest',
    ['b'.repeat(1000), '\u{10ffff}'.repeat(100)],
    { min: 'b'.repeat(16), max: undefined },
  ],
])('the bounds of %s texts in Parquet hold, and have 16 bytes', async (_, texts, { min, max }) => {
  const writer = await openRowWriter({ kind: 'parquet' }, [
    { name: 'text', kind: 'text' },
    { name: 'json', kind: 'json' },
  ])
  const rows = toRowLists(texts.map((text) => [text, JSON.stringify(text)]))
  const file = [writer.begin(), writer.write(rows), writer.end()]
  const { row_groups } = parquetMetadata(new Uint8Array(Buffer.concat(file)).buffer)
  const [text, json] = row_groups[0]!.columns.map(({ meta_data }) => meta_data!.statistics!)
  expect([text!.min_value, text!.max_value]).toEqual([min, max])
  const isLong = texts[0]!.length > 64
  expect(json!.max_value).toEqual(isLong ? undefined : '"z"')
})
