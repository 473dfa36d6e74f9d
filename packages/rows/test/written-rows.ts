import * as fc from 'fast-check'
import { durationText } from '@vitrine/contract/values/duration'
import { type Cell, toRowLists } from '../src/write/row-lists.ts'
import {
  type ColumnKind,
  type WrittenColumn,
  type WrittenFormat,
  openRowWriter,
} from '../src/write/row-writer.ts'

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
export const names = Object.keys(kinds) as ColumnKind[]
export const columns: WrittenColumn[] = names.map((kind) => ({ name: `a "${kind}"`, kind }))
const row = fc.tuple(...names.map((kind) => fc.option(kinds[kind].cell)))
export const rows = fc.array(row, { minLength: 1, maxLength: 30 })

export async function write(
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

export const toText: (value: unknown) => string = String

export const textsOf = (given: readonly (readonly Cell[])[]) =>
  given.map((cells) =>
    cells.map((cell, index) => (cell === null ? null : kinds[names[index]!].textOf(cell))),
  )

/** A moment as Parquet and sheets have it: without zeros at the end of its fraction. */
export const shortest = (each: string | null, index: number) =>
  names[index] === 'millisecond' && each !== null
    ? each.replace(/\.0+Z$|(?<=\.\d+)0+Z$/, 'Z')
    : each
