import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileMetaData, type SchemaElement, parquetMetadata } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { decimalText, parquetColumns } from '../src/parquet/parquet-columns.ts'
import { readParquetColumn } from '../src/parquet/read-parquet-column.ts'
import { InvalidValue } from '../src/invalid-value.ts'

// The files are by write-typed.py, which says what is in them.

function open(name: string): { file: ArrayBuffer; metadata: FileMetaData } {
  const file = new Uint8Array(readFileSync(join(import.meta.dirname, 'files', name))).buffer
  return { file, metadata: parquetMetadata(file) }
}

/** The values of each column, or why it is not read. */
async function readAll({ file, metadata }: ReturnType<typeof open>) {
  const range = { from: 0, to: Number(metadata.num_rows) }
  const found: Record<string, unknown> = {}
  for (const column of parquetColumns(metadata)) {
    const values =
      'unfit' in column ? column.unfit : await readParquetColumn({ file, metadata }, column, range)
    found[column.name] = Array.isArray(values)
      ? values.map((value: unknown) =>
          value instanceof InvalidValue ? { unfit: value.reason } : (value ?? null),
        )
      : values
  }
  return found
}

const prices = ['5.00', '0.35', '-0.01', null]
const moments = ['1969-12-31T23:59:59.999999', '0001-01-01T00:00:00', '9999-12-31T23:59:59.5', null]
const nanos = [
  '1969-12-31T23:59:59.999999999',
  '1970-01-01T00:00:00',
  '1970-01-01T00:00:01.5',
  null,
]
const wide = [`${'9'.repeat(70)}.123456`, '-0.000001', '0.000000', null]
const z = (values: readonly (string | null)[]) => values.map((value) => value && `${value}Z`)

it('decimals and times of pyarrow are what they were, to the last digit', async () => {
  expect(await readAll(open('pyarrow.parquet'))).toEqual({
    int32: prices,
    int64: prices,
    fixed: prices,
    wide,
    whole: [`1${'0'.repeat(37)}`, '-1', '0', null],
    milli: ['1969-12-31T23:59:59.999', '1970-01-01T00:00:00', '1970-01-01T00:00:01.5', null],
    micro: moments,
    micro_utc: z(moments),
    nano: nanos,
    nano_utc: z(nanos),
    day: ['1969-12-31', '0001-01-01', '9999-12-31', null],
    time: ['00:00:00', '23:59:59.999999', '12:30:00.25', null],
    time_milli: ['00:00:00', '00:00:00.001', '23:59:59.999', null],
    large: ['100000000000000000000', -1.5, 0.1, null],
    bytes: [Uint8Array.of(0, 255), new Uint8Array(), Uint8Array.of(97), null],
  })
  expect(await readAll(open('pyarrow-plain.parquet'))).toEqual({ fixed: prices, wide })
  expect(await readAll(open('pyarrow-int96.parquet'))).toEqual({ nano: nanos })
})

it('decimals and times of Polars and DuckDB are read exactly', async () => {
  expect(await readAll(open('polars.parquet'))).toEqual({
    price: prices,
    milli: ['1969-12-31T23:59:59.999', moments[1], moments[2], null],
    micro: moments,
    nano_utc: [null, null, `${moments[0]}Z`, null],
    day: ['1969-12-31', '0001-01-01', '9999-12-31', null],
    time: ['00:00:00', '23:59:59.999999', '12:30:00.25', null],
    took: ['P1D', null, null, null],
  })
  expect(await readAll(open('duckdb.parquet'))).toEqual({
    int16: ['5.00'],
    int32: ['0.35'],
    int64: ['-0.01'],
    fixed: ['12345678901234567890123456789012345.678'],
    micro: ['1969-12-31T23:59:59.999999'],
    nano: ['1969-12-31T23:59:59.999999999'],
    milli: ['2026-01-02T03:04:05.678'],
    zoned: ['2026-01-02T01:04:05.25Z'],
    day: ['1969-12-31'],
    time: ['23:59:59.999999'],
    took: ['P3D'],
    json: ['{"a": [1, 2.50]}'],
    uuid: ['b5f1a3f0-0000-4000-8000-000000000001'],
    enum: ['x'],
  })
})

it('pages of deltas and of split bytes are read, as pyarrow writes them', async () => {
  const sparse = <T>(value: (row: number) => T) =>
    Array.from({ length: 200 }, (_, row) => (row % 7 === 3 ? null : value(row)))
  const utf8 = new TextEncoder()
  expect(await readAll(open('pyarrow-deltas.parquet'))).toEqual({
    int32: sparse((row) => row * row - 5000),
    int64: sparse((row) => (-1n) ** BigInt(row) * 10n ** 9n * BigInt(row) ** 4n),
    length: sparse((row) => `${'x'.repeat(row % 5)}${row}`),
    prefix: sparse((row) => `common/${Math.floor(row / 3)}`),
    fixed: sparse((row) => utf8.encode(String(Math.floor(row / 50)).padStart(5, '0'))),
    double: sparse((row) => row / 8),
    float: sparse((row) => row / 4),
    truth: sparse((row) => row % 3 === 0),
  })
})

it('a dictionary may have more entries than there are rows', async () => {
  const read = await readAll(open('pyarrow-categories.parquet'))
  expect(read).toEqual({ kind: ['kind 3', null, 'kind 90'] })
})

it('a date outside the years 0000 to 9999 is unfit', async () => {
  const outside = { unfit: 'is outside the years 0000 to 9999' }
  expect(await readAll(open('pyarrow-odd.parquet'))).toEqual({
    far: ['1970-01-02', outside, outside],
    took: ['P1D', null, null],
  })
})

it('durations of every unit become texts that say them exactly, and intervals without months', async () => {
  expect(await readAll(open('pyarrow-durations.parquet'))).toEqual({
    second: ['P1DT1S', '-P1DT1H1M1S', null],
    milli: ['PT1.5S', '-PT0.001S', null],
    micro: ['PT0.000001S', 'PT0S', null],
    nano: ['PT0.000000001S', '-P106751DT23H47M16.854775807S', null],
  })
})

it('a column called an interval or a duration but stored as another type is unfit', () => {
  const { metadata } = open('pyarrow-durations.parquet')
  const [root] = metadata.schema
  const formOf = (element: Partial<SchemaElement>, own: Partial<FileMetaData> = {}) =>
    parquetColumns({ ...metadata, ...own, schema: [root!, { name: 'second', ...element }] })[0]
  const plain = { key_value_metadata: [] }
  const unfit = { unfit: expect.stringMatching(/./) as string }
  for (const type of ['INT32', 'INT64', 'BYTE_ARRAY'] as const) {
    expect(formOf({ type, converted_type: 'INTERVAL' }, plain)).toMatchObject(unfit)
  }
  const short = {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: 4,
    converted_type: 'INTERVAL',
  } as const
  expect(formOf(short, plain)).toMatchObject(unfit)
  expect(formOf({ type: 'INT32' })).toMatchObject(unfit)
  expect(formOf({ type: 'INT64', repetition_type: 'REPEATED' })).toMatchObject(unfit)
  expect(formOf({ type: 'INT64' })).not.toHaveProperty('unfit')
})

it('decimals in bytes of any length are read, and a scale that is none is refused', async () => {
  const schema = (scale: number): SchemaElement[] => [
    { name: 'root', num_children: 1 },
    {
      name: 'price',
      type: 'BYTE_ARRAY',
      converted_type: 'DECIMAL',
      repetition_type: 'REQUIRED',
      precision: 5,
      scale,
    },
  ]
  const file = parquetWriteBuffer({
    columnData: [{ name: 'price', data: [-0.01, 5] }],
    schema: schema(2),
  })
  const metadata = parquetMetadata(file)
  expect(await readAll({ file, metadata })).toEqual({ price: ['-0.01', '5.00'] })
  expect(parquetColumns({ ...metadata, schema: schema(2_000_000_000) })).toMatchObject([
    { unfit: 'is a decimal with 2000000000 digits after the point; give it 0 to 1000' },
  ])
  expect(decimalText(new Uint8Array(500), 2)).toEqual(
    new InvalidValue('is a decimal of more than 1000 digits'),
  )
})

it('the values from 0.01 to 100.00 are all exact', () => {
  for (let cents = 1; cents <= 10_000; cents += 1) {
    const text = decimalText(cents, 2)
    expect(text).toBe(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`)
  }
})
