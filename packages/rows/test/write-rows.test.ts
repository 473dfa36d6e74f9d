import { Readable } from 'node:stream'
import { zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { durationText } from '@vitrine/contract/values/duration'
import { Bool, tableFromIPC } from 'apache-arrow'
import { parquetMetadata } from 'hyparquet'
import { expect, it } from 'vitest'
import { parquetColumns } from '../src/parquet/parquet-columns.ts'
import { csv, parseDelimited, tsv } from '../src/text/parse-delimited.ts'
import { type ReadColumn, readParquetColumn } from '../src/parquet/read-parquet-column.ts'
import {
  type Cell,
  type ColumnKind,
  type WrittenColumn,
  type WrittenFormat,
  openRowWriter,
  toRowLists,
} from '../src/write/row-writer.ts'
import { unguardCell } from '../src/text/delimited-record.ts'
import { cellFormat } from '../src/workbook/cell-format.ts'
import { parseXml } from '../src/workbook/parse-xml.ts'
import { SharedTexts } from '../src/workbook/shared-texts.ts'
import { type SheetRow, SheetCells } from '../src/workbook/sheet-cells.ts'
import { ShownValue } from '../src/workbook/shown-value.ts'
import { workbookStyles } from '../src/write/write-sheet.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((each) => each.toWellFormed()),
  fc
    .array(fc.constantFrom('"', "'", ',', '\n', '\r', '\t', '=', '-1', ' ', '\ufeff', '🦊', '\\'))
    .map((parts) => parts.join('')),
)
const day = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10))
const moment = fc.tuple(day, fc.nat(86_399), fc.nat(999_999)).map(([date, second, micros]) => {
  const clock = new Date(second * 1000).toISOString().slice(11, 19)
  const fraction = String(micros).padStart(6, '0').replace(/0+$/, '')
  return fraction === '' ? `${date}T${clock}` : `${date}T${clock}.${fraction}`
})
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

/** Cells of each kind as a database has them, and the text that they stand for. */
const kinds: Record<ColumnKind, { cell: fc.Arbitrary<Cell>; textOf: (cell: Cell) => string }> = {
  text: { cell: text, textOf: String },
  integer: { cell: fc.maxSafeInteger(), textOf: String },
  number: { cell: double, textOf: String },
  boolean: { cell: fc.nat(1), textOf: (cell) => String(cell === 1) },
  date: { cell: day, textOf: String },
  timestamp: { cell: moment, textOf: (cell) => `${cell}Z` },
  millisecond: {
    cell: fc.nat(253_402_300_799_999),
    textOf: (cell) => new Date(Number(cell)).toISOString(),
  },
  duration: {
    cell: fc.maxSafeInteger(),
    textOf: (cell) => durationText(BigInt(cell!), 6),
  },
  json: { cell: fc.json({ maxDepth: 2 }), textOf: String },
}
const names = Object.keys(kinds) as ColumnKind[]
const columns: WrittenColumn[] = names.map((kind) => ({ name: `a "${kind}"`, kind }))
const row = fc.tuple(...names.map((kind) => fc.option(kinds[kind].cell)))
const rows = fc.array(row, { minLength: 1, maxLength: 30 })

async function write(
  format: WrittenFormat,
  given: readonly (readonly Cell[])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = await openRowWriter(format, columns)
  const half = Math.ceil(given.length / 2)
  const written = [
    writer.begin(),
    writer.write(toRowLists(given.slice(0, half))),
    ...(half < given.length ? [writer.write(toRowLists(given.slice(half)))] : []),
    writer.end(),
  ]
  return new Uint8Array(Buffer.concat(written))
}

const toText: (value: unknown) => string = String

const textsOf = (given: readonly (readonly Cell[])[]) =>
  given.map((cells) =>
    cells.map((cell, index) => (cell === null ? null : kinds[names[index]!].textOf(cell))),
  )

/** A moment as Parquet and sheets have it: without zeros at the end of its fraction. */
const shortest = (each: string | null, index: number) =>
  names[index] === 'millisecond' && each !== null
    ? each.replace(/\.0+Z$|(?<=\.\d+)0+Z$/, 'Z')
    : each

it('rows written as NDJSON are read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const lines = new TextDecoder('utf-8', { ignoreBOM: true })
        .decode(await write({ kind: 'ndjson' }, given))
        .split('\n')
      expect(lines.pop()).toBe('')
      const read = lines.map((line) => {
        const object = JSON.parse(line) as Record<string, unknown>
        return columns.map(({ name, kind }) => {
          const value = object[name]
          if (value === undefined) return null
          return kind === 'json' ? JSON.stringify(value) : toText(value)
        })
      })
      const wanted = textsOf(given).map((texts) =>
        texts.map((each, index) =>
          names[index] === 'json' && each !== null ? JSON.stringify(JSON.parse(each)) : each,
        ),
      )
      expect(read).toEqual(wanted)
    }),
  )
})

it('rows written as CSV or TSV are read back unchanged, with and without the guard', async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(csv, tsv),
      fc.boolean(),
      async (given, dialect, guard) => {
        const { delimiter } = dialect
        const file = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          await write({ kind: 'delimited', delimiter, guard }, given),
        )
        const read: (string | null)[][] = []
        expect(file.startsWith('\ufeff')).toBe(guard)
        const text = guard ? file.slice(1) : file
        const { error } = parseDelimited(text, dialect, (cells) => {
          read.push(cells.map((cell) => cell ?? null))
        })
        expect(error).toBeUndefined()
        const [head, ...body] = read
        expect(head).toEqual(columns.map(({ name }) => name))
        const unguarded = body.map((cells) =>
          cells.map((cell) => (guard && cell !== null ? unguardCell(cell) : cell)),
        )
        expect(unguarded).toEqual(textsOf(given))
      },
    ),
  )
})

/** How the cells of each style of a written workbook are read. */
const formats = [...workbookStyles.split('<cellXfs')[1]!.matchAll(/<xf numFmtId="(\d+)"/g)].map(
  ([, id]) => {
    const text = new RegExp(`numFmtId="${id}" formatCode="([^"]+)"`).exec(workbookStyles)?.[1]
    return cellFormat({ id: Number(id), text, is1904: false })
  },
)

it('rows written as a worksheet are read back unchanged', async () => {
  const day = fc.constantFrom('1900-01-01', '1900-02-28', '1900-03-01', '0001-01-01', '9999-12-31')
  const dates: fc.Arbitrary<Cell[][]> = fc.array(
    day.map((date) => names.map((kind) => (kind === 'date' ? date : null))),
    { minLength: 1 },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(rows, dates), async (given) => {
      const cells = new SheetCells({ formats, texts: new SharedTexts() })
      const read: SheetRow[] = []
      const file = await write({ kind: 'sheet' }, given)
      for await (const _ of parseXml(Readable.from([file]), cells)) read.push(...cells.take())
      const [head, ...body] = read
      expect(head!.values).toEqual(columns.map(({ name }) => name))
      const byLine = new Map(body.map(({ line, values }) => [line, values]))
      const texts = given.map((_, index) =>
        columns.map((_, column) => {
          const value = byLine.get(index + 2)?.[column]
          if (value === undefined) return null
          return toText(value instanceof ShownValue ? value.value : value)
        }),
      )
      expect(texts.map((each) => each.map(shortest))).toEqual(
        textsOf(given).map((each) => each.map(shortest)),
      )
    }),
  )
})

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
        const metadata = parquetMetadata(file)
        expect(metadata.schema.at(-1)).toMatchObject({ converted_type: 'JSON' })
        const read: unknown[][] = []
        for (const column of parquetColumns(metadata)) {
          const range = { from: 0, to: given.length }
          const values = await readParquetColumn({ file, metadata }, column as ReadColumn, range)
          read.push(
            values.map((value) => (value === undefined || value === null ? null : toText(value))),
          )
        }
        const wanted = textsOf(given).map((texts) => texts.map(shortest))
        expect(given.map((_, at) => read.map((values) => values[at]))).toEqual(wanted)
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

it('rows written as Arrow are read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const table = tableFromIPC(await write({ kind: 'arrow' }, given))
      expect(table.schema.names).toEqual(columns.map(({ name }) => name))
      const read = columns.map((_, index) => {
        const vector = table.getChildAt(index)!
        const toText = arrowTexts[String(vector.type)]!
        const { values, valueOffsets: offsets } = vector.data[0]!
        const valueAt = (row: number): unknown => {
          if (vector.type instanceof Bool) return vector.get(row)
          return offsets ? values.subarray(offsets[row], offsets[row + 1]) : values[row]
        }
        return given.map((_, row) => (vector.isValid(row) ? toText(valueAt(row) as never) : null))
      })
      const wanted = textsOf(given).map((texts) => texts.map(shortest))
      expect(given.map((_, at) => read.map((values) => values[at]))).toEqual(wanted)
    }),
  )
})

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
