import { limits } from '@vitrine/contract/limits'
import type { SchemaField } from '@vitrine/contract'
import { parseDelimited, type Cell, type Dialect } from '@vitrine/rows/parse-delimited'
import { unguardCell } from '../../../../rows/src/guard-cell.ts'
import type { Column } from './column.ts'
import { decodeBlock } from './decode-block.ts'
import type { ParsedBlock, RawRow, RawValue, VisitRow } from './raw-row.ts'

export type DelimitedFormat = {
  dialect: Dialect
  /** Of the header line. */
  columns: readonly Column[]
  schema: readonly SchemaField[]
  guard: boolean
}

/** Reads the records of a block of CSV or TSV, header aside. */
export function readDelimited(
  bytes: Uint8Array,
  format: DelimitedFormat,
  visit: VisitRow,
): ParsedBlock {
  const decoded = decodeBlock(bytes)
  const text = decoded.ok ? decoded.text : decoded.before
  const { lines, error } = parseDelimited(text, format.dialect, (cells, line) =>
    visit(toRow(cells, line, format)),
  )
  if (!decoded.ok) {
    return { lines, unreadable: { line: decoded.line, reason: 'is not valid UTF-8' } }
  }
  return { lines, ...(error && { unreadable: error }) }
}

function toRow(cells: readonly Cell[], line: number, format: DelimitedFormat): RawRow {
  const { columns, schema, guard } = format
  if (cells.length !== columns.length) {
    const isTooWide = cells.length > limits.columns
    const count = isTooWide ? `more than ${limits.columns}` : cells.length
    const reason = `has ${count} cells, and the first line has ${columns.length}`
    return { line, values: [], problems: [{ field: null, reason }], isMalformed: true }
  }
  const values = Array<RawValue | undefined>(schema.length)
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index] as Cell
    const column = columns[index]!
    if (column.kind === 'ignored') continue
    if (cell === null) {
      if (column.kind === 'value' && isRequiredText(schema[column.field]!)) {
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
  return { line, values, problems: [] }
}

/** pandas and Excel write the empty text as they write nothing. */
function isRequiredText({ type, optional }: SchemaField): boolean {
  return type === 'string' && optional !== true
}
