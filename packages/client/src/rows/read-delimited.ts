import { parseDelimited, type Dialect } from '@vitrine/rows/parse-delimited'
import { endOfLastRecord } from '@vitrine/rows/record-end'
import { UnreadableFile, type SourceRow } from '../../../rows/src/row-batch.ts'
import { requireRowLength, tooLong } from './row-length.ts'
import type { RowReader } from './row-reader.ts'

/** Reads CSV or TSV as its text comes, by the rules of an import. The first line has the names. */
export function createDelimitedReader(dialect: Dialect): RowReader {
  let rest = ''
  let line = 1
  let columns: string[] | undefined
  return {
    get columns() {
      return columns ?? []
    },
    read: (text, isLast) => {
      const rows: SourceRow[] = []
      const whole = rest + text
      const end = isLast ? whole.length : endOfLastRecord(whole, dialect.quote)
      const { lines, error } = parseDelimited(whole.slice(0, end), dialect, (cells, at) => {
        if (columns === undefined) columns = cells.map((cell) => cell ?? '')
        else rows.push(toRow(cells, line + at, columns))
      })
      if (error !== undefined) {
        throw new UnreadableFile(`Line ${line + error.line}: ${error.reason}`)
      }
      line += lines
      rest = whole.slice(end)
      requireRowLength(rest, `Line ${line}: the row ${tooLong}; is a quote missing?`)
      return rows
    },
  }
}

function toRow(
  cells: readonly (string | null)[],
  line: number,
  columns: readonly string[],
): SourceRow {
  const values = cells.map((cell) => cell ?? undefined)
  if (cells.length === columns.length) return { line, values }
  const problem = `has ${cells.length} cells, and the first line has ${columns.length}`
  return { line, values, problem }
}
