// Runs in a checking thread.

import type { SchemaField } from '@vitrine/contract'
import { hasEmptyText, isBlankCell } from '@vitrine/rows/describe/blank-cell'
import { unguardCell } from '@vitrine/rows/text/delimited-record'
import type { Cell, Dialect } from '@vitrine/rows/text/parse-delimited'
import type { Column } from './column.ts'
import type { RawRow, RawValue } from './raw-row.ts'

export type DelimitedFormat = {
  dialect: Dialect
  /** Columns by the line of names. */
  columns: readonly Column[]
  schema: readonly SchemaField[]
  guard: boolean
}

/** Makes a row of the cells of a record, of which there are no more than columns. */
export function delimitedRow(
  cells: readonly Cell[],
  line: number,
  { columns, schema, guard }: Omit<DelimitedFormat, 'dialect'>,
): RawRow {
  const values = Array<RawValue | undefined>(schema.length)
  let item: RawRow['item']
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index]
    const column = columns[index]!
    if (column.kind === 'ignored') continue
    if (column.kind === 'item') {
      ;(item ??= {})[column.about] = cell ?? undefined
      continue
    }
    const field = column.kind === 'value' ? schema[column.field] : undefined
    if (cell === null) continue
    if (cell === undefined || isBlankCell(cell, field)) {
      // pandas and Excel write the empty text as they write nothing.
      if (field !== undefined && field.optional !== true && hasEmptyText(field)) {
        values[column.field] = { ...values[column.field], value: '' }
      }
      continue
    }
    const text = guard ? unguardCell(cell) : cell
    const value = (values[column.field] ??= {})
    if (column.kind === 'lookup') value.lookup = { by: column.by, value: text }
    else if (column.kind === 'value') value.value = text
    else value[column.kind] = text
  }
  return { line, values, problems: [], ...(item && { item }) }
}
