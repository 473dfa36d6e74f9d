import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ParquetFile } from '../src/parquet/parquet-file.ts'
import { InvalidValue } from '../src/invalid-value.ts'

// The files are by write-nested.py, which says what is in them.

async function open(name: string): Promise<ParquetFile> {
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, 'files', `${name}.parquet`)))
  const slice = (start: number, end: number) => bytes.slice(start, end).buffer
  return ParquetFile.open({ byteLength: bytes.length, slice })
}

const textOf = (value: unknown) =>
  value instanceof InvalidValue ? `unfit: ${value.reason}` : JSON.stringify(value)

/** The JSON of each value by its column, or why the column is not read. */
async function readAll(file: ParquetFile) {
  const rows = file.groups.reduce((sum, group) => sum + group.rows, 0)
  const values = await file.read(file.columns, { from: 0, to: rows })
  return Object.fromEntries(
    file.columns.map((column, at) => [
      column.name,
      'unfit' in column ? column.unfit : values[at]!.map(textOf),
    ]),
  )
}

const full = {
  id: 9007199254740991,
  price: '5.00',
  at: '2026-11-22T15:04:05.250001Z',
  day: '1969-12-31',
  small: 4294967295,
  tags: ['a', null, ''],
}
const bare = { id: null, price: null, at: null, day: null, small: null, tags: null }
const json = (...values: unknown[]) => values.map((value) => JSON.stringify(value))

test.each(['nested', 'nested-plain', 'nested-legacy'])('%s of pyarrow is JSON', async (name) => {
  expect(await readAll(await open(name))).toEqual({
    list: json([1, null, 3], [], null, [9007199254740992]),
    deep: json([[['x'], []], [], null], [], null, [[[null]]]),
    struct: json(full, bare, null, { ...full, tags: [] }),
    structs: json([full, null, bare], [], null, [bare]),
    map: ['{"a":1,"b":null}', '{}', 'null', '{"__proto__":5}'],
    lists: json({ 1: [1.5], 2: null }, {}, null, { 3: [] }),
    twice: ['unfit: must not have the same key twice', '{}', 'null', '{}'],
    fixed: json([1, 2], [3, 4], null, [5, 6]),
    // A number that JSON does not have is null as text, and refused by what reads JSON.
    floats: json([0.5, NaN], [Infinity], null, [1e300]),
    bytes: 'has a part that is of bytes; write it as text',
    took: 'has durations in lists or structures, whose unit would be lost; write it as text',
  })
})

test('nested columns of Polars and DuckDB are JSON', async () => {
  expect(await readAll(await open('nested-polars'))).toEqual({
    list: json([1, null], [], null),
    struct: json({ a: 1, b: ['x'] }, { a: null, b: [] }, null),
    array: json([1, 2], [3, 4], null),
  })
  expect(await readAll(await open('nested-duckdb'))).toEqual({
    list: json([1, null, 3]),
    struct: json({ a: 1, b: [{ c: '5.00' }] }),
    map: json({ k: 1, l: null }),
    days: json({ '2026-11-22': ['x'] }),
    uuids: json(['b5f1a3f0-0000-4000-8000-000000000001']),
    enums: json(['x']),
    jsons: json(['{"a": 1.0}']),
    large: ['[9223372036854775808]'],
    floats: json([12.5]),
  })
})

const manyAt = (row: number) =>
  row % 11 === 0
    ? null
    : Array.from({ length: row % 7 }, (_, item) => ({ n: row, text: `${row}`.repeat(item % 3) }))

test.each(['nested-many-1', 'nested-many-2'])('%s: some rows of many pages', async (name) => {
  const file = await open(name)
  const whole = await file.read(file.columns, { from: 0, to: 2000 })
  expect(whole[0]!.map(textOf)).toEqual(
    json(...Array.from({ length: 2000 }, (_, row) => manyAt(row))),
  )
  // One after the other, and from anywhere.
  for (const [from, to] of [
    [0, 1],
    [1, 130],
    [130, 131],
    [131, 1499],
    [1499, 1501],
    [1501, 2000],
    [777, 778],
    [5, 60],
  ] as const) {
    const [values] = await file.read(file.columns, { from, to })
    expect(values!.map(textOf)).toEqual(
      json(...Array.from({ length: to - from }, (_, at) => manyAt(from + at))),
    )
  }
})
