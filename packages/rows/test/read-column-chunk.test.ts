import { zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { parquetMetadata, parquetReadObjects, type Encoding } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parquetWriteBuffer, type BasicType } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { parquetColumns } from '../src/parquet/parquet-columns.ts'
import type { ReachedPage } from '../src/parquet/read-column-chunk.ts'
import { readParquetColumn, type ReadColumn } from '../src/parquet/read-parquet-column.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const float = fc.float({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))
const double = fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))
const bytes = fc.uint8Array({ maxLength: 20 })
const milliseconds = fc.date({
  min: new Date('0001-01-01'),
  max: new Date('9999-12-31'),
  noInvalidDate: true,
})
const dictionary = ['PLAIN', 'RLE_DICTIONARY'] as const
const numbers = [...dictionary, 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT'] as const
const lengths = [...dictionary, 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY'] as const

type Kind = readonly [BasicType, fc.Arbitrary<unknown>, readonly Encoding[]]

/** Values of each type, half of them of a few, which a dictionary then has. */
const kinds: readonly Kind[] = [
  ['BOOLEAN', fc.boolean(), ['PLAIN', 'RLE']],
  ['INT32', fc.integer(), numbers],
  ['INT64', int64, numbers],
  ['FLOAT', float, [...dictionary, 'BYTE_STREAM_SPLIT']],
  ['DOUBLE', double, [...dictionary, 'BYTE_STREAM_SPLIT']],
  ['BYTE_ARRAY', bytes, lengths],
  ['STRING', fc.string({ unit: 'grapheme' }), lengths],
  ['TIMESTAMP', milliseconds, numbers],
  ['UUID', fc.uuid(), dictionary],
  ['FLOAT16', fc.integer({ min: -2048, max: 2048 }), dictionary],
]

const table = fc.constantFrom(...kinds).chain(([type, value, encodings]) =>
  fc.record({
    type: fc.constant(type),
    encoding: fc.constantFrom(undefined, ...encodings),
    codec: fc.constantFrom('UNCOMPRESSED', 'SNAPPY', 'ZSTD'),
    data: fc.oneof(
      fc.array(value, { minLength: 1, maxLength: 400, size: 'max' }),
      fc.array(fc.option(value), { minLength: 1, maxLength: 400, size: 'max' }),
      fc
        .array(fc.option(value), { minLength: 1, maxLength: 5 })
        .chain((few) =>
          fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 400, size: 'max' }),
        ),
    ),
    isNullable: fc.boolean(),
    pageSize: fc.integer({ min: 1, max: 2000 }),
    rowGroupSize: fc.integer({ min: 1, max: 400 }),
    ranges: fc.array(fc.tuple(fc.nat(400), fc.nat(400)), { minLength: 1, maxLength: 6 }),
  }),
)

/** Converts a value of hyparquet to the form that is read here. */
function asRead(value: unknown): unknown {
  const isLarge = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (isLarge && Number.isInteger(value)) return String(value)
  return value ?? null
}

const toDate = (text: unknown) => (typeof text === 'string' ? new Date(text) : text)

it('any rows of any pages are what hyparquet reads of them', { tags: 'long' }, async () => {
  await fc.assert(
    fc.asyncProperty(table, async (given) => {
      const { type, encoding, codec, data, isNullable, pageSize, rowGroupSize, ranges } = given
      const nullable = isNullable || data.includes(null)
      const column = { name: 'x', data, type, nullable, ...(encoding && { encoding }) }
      const file = parquetWriteBuffer({
        columnData: [column],
        codec,
        compressors: { ZSTD: (input) => zstdCompressSync(input) },
        pageSize,
        rowGroupSize,
      })
      const metadata = parquetMetadata(file)
      const wanted = await parquetReadObjects({ file, metadata, compressors, utf8: false })
      const reached = new Map<number, ReachedPage>()
      for (const [one, other] of [[0, data.length] as const, ...ranges]) {
        const [from, to] = [Math.min(one, other), Math.min(Math.max(one, other), data.length)]
        if (from >= to) continue
        const source = { file, metadata, reached }
        const read = await readParquetColumn(source, parquetColumns(metadata)[0] as ReadColumn, {
          from,
          to,
        })
        const values = type === 'TIMESTAMP' ? read.map(toDate) : read
        expect(values).toEqual(wanted.slice(from, to).map((row) => asRead(row['x'])))
      }
    }),
    { numRuns: 300 },
  )
})
