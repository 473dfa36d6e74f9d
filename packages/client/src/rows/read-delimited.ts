import { UnreadableFile, type SourceRow } from './row-batch.ts'
import { requireRowLength, tooLong } from './row-length.ts'
import type { RowReader } from './row-reader.ts'

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

type Cells = (string | undefined)[]
type Ending = { cells: Cells; end: number; lines: number }

/**
 * Reads CSV or TSV (RFC 4180 with any delimiter of one character; lines end in LF or CRLF) as its text
 * comes. The first line has the names. An empty cell without quotes is absent.
 */
export function createDelimitedReader(delimiter: string): RowReader {
  const delimiterCode = delimiter.charCodeAt(0)
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
      let at = 0
      while (at < whole.length) {
        const record = readRecord(whole, at, { delimiterCode, isLast, line })
        if (record === undefined) break
        const { cells, end, lines } = record
        // Lines that are empty are passed over.
        if (cells.length > 1 || cells[0] !== undefined) {
          if (columns === undefined) columns = cells.map((cell) => cell ?? '')
          else rows.push(toRow(cells, line, columns))
        }
        line += lines
        at = end
      }
      rest = whole.slice(at)
      requireRowLength(rest, `Line ${line}: the row ${tooLong}; is a quote missing?`)
      return rows
    },
  }
}

function toRow(values: Cells, line: number, columns: readonly string[]): SourceRow {
  if (values.length === columns.length) return { line, values }
  const problem = `has ${values.length} cells, and the first line has ${columns.length}`
  return { line, values, problem }
}

/** The record that begins at `from`, or undefined where it does not end in this text. */
function readRecord(
  text: string,
  from: number,
  options: { delimiterCode: number; isLast: boolean; line: number },
): Ending | undefined {
  const { delimiterCode, isLast, line } = options
  const cells: Cells = []
  let at = from
  let lines = 1
  for (;;) {
    if (text.charCodeAt(at) === quote) {
      const quoted = readQuoted(text, at)
      if (quoted === undefined) {
        if (!isLast) return undefined
        throw new UnreadableFile(`Line ${line}: a cell in quotes does not end`)
      }
      cells.push(quoted.value)
      lines += quoted.value.split('\n').length - 1
      at = quoted.end
    } else {
      const begin = at
      let code = text.charCodeAt(at)
      while (at < text.length && code !== delimiterCode && code !== lineFeed) {
        at += 1
        code = text.charCodeAt(at)
      }
      const ends = at >= text.length || code === lineFeed
      const to = ends && at > begin && text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at
      cells.push(to > begin ? text.slice(begin, to) : undefined)
    }
    if (at < text.length && text.charCodeAt(at) === delimiterCode) {
      at += 1
      continue
    }
    // The rest of the line end, or of the cell, may come with the next text.
    if (at >= text.length || (at + 1 >= text.length && text.charCodeAt(at) === carriageReturn)) {
      return isLast ? { cells, end: text.length, lines } : undefined
    }
    if (text.charCodeAt(at) === carriageReturn) at += 1
    if (text.charCodeAt(at) === lineFeed) return { cells, end: at + 1, lines }
    throw new UnreadableFile(
      `Line ${line}: something stands between a quote and the end of its cell`,
    )
  }
}

function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  let end = from + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end === -1) return undefined
    if (text.charCodeAt(end + 1) !== quote) break
    end += 2
  }
  return { value: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 }
}
