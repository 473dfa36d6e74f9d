import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { byRows, parseRowLists, type Cell, type ColumnLists } from '../src/write/row-lists.ts'

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', '"', '\\', '\\"', '],["', ', ', ' ', 'null', '\n\u0001'),
)
const number = fc.oneof(fc.integer(), fc.constantFrom(-0.5, 1e300, 1e-7, Number.MAX_SAFE_INTEGER))
const cell: fc.Arbitrary<Cell> = fc.oneof(text, number, fc.constant(null))

/** Rows as a list for each column, with or without spaces between the cells, as engines write them. */
function columnLists(rows: readonly (readonly Cell[])[], between: string): ColumnLists {
  const lists = rows[0]!.map((_, column) => {
    const cells = rows.map((row) => JSON.stringify(row[column]))
    return `[${cells.join(between)}]`
  })
  return { layout: 'columns', count: rows.length, bytes: new TextEncoder().encode(lists.join(',')) }
}

test('columns are listed by their rows, cell by cell as they stand', () => {
  const rows = fc
    .integer({ min: 1, max: 12 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
    )
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ', '), (given, between) => {
      const columns = columnLists(given, between)
      expect(parseRowLists(columns)).toEqual(given)
      const { layout, count, bytes } = byRows(columns)
      expect({ layout, count }).toEqual({ layout: 'rows', count: given.length })
      // All of its memory, which can be handed over then.
      expect(bytes.length).toBe(bytes.buffer.byteLength)
      expect(new TextDecoder().decode(bytes)).toBe(
        given.map((row) => JSON.stringify(row)).join(','),
      )
    }),
  )
})
