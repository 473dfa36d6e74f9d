import { writeCell, writeRecord, type DelimitedOptions } from '../formats/write-delimited.ts'
import type { SnapshotRows } from '../views/snapshot.ts'
import type { ExportColumn } from './export-column.ts'
import { momentBytes, rememberMoments } from './moments.ts'
import { isPlainCell } from './plain-cell.ts'
import { RowScanner } from './row-scanner.ts'
import type { RowWriter } from './row-writer.ts'
import { WrittenBytes } from './written-bytes.ts'

const rowEnd = Buffer.from('\r\n')

/** Writes rows as CSV or TSV; an absent value is an empty cell, an empty text is in quotes. */
export function openDelimited(
  columns: readonly ExportColumn[],
  options: DelimitedOptions,
): RowWriter {
  const delimiter = options.delimiter.charCodeAt(0)
  const momentOf = rememberMoments()
  /** Of one cell, beside what it is in JSON: a delimiter, and what guards it. */
  const besideCells = columns.length * (momentBytes + 2) + rowEnd.length
  const writeRow = (row: RowScanner, out: WrittenBytes) => {
    for (let index = 0; index < columns.length; index += 1) {
      const { type, at, presentAt } = columns[index]!
      if (index > 0) out.put(delimiter)
      if (row.isNull(presentAt)) continue
      const [from, to] = [row.starts[at]!, row.ends[at]!]
      if (type === 'id' || type === 'reference') {
        out.copy(row.bytes, from, to)
      } else if (type === 'moment') {
        const moment = momentOf(row.numberAt(at))
        out.copy(moment, 1, moment.length - 1)
      } else if (isPlainCell(row.bytes, { from: from + 1, to: to - 1, delimiter })) {
        out.copy(row.bytes, from + 1, to - 1)
      } else {
        const text = JSON.parse(Buffer.from(row.bytes.subarray(from, to)).toString()) as string
        out.copy(Buffer.from(writeCell(text, options)))
      }
    }
    out.copy(rowEnd)
  }
  const header = columns.map(({ name }) => name)
  return {
    begin: () => new TextEncoder().encode(writeRecord(header, options)),
    write: (rows: SnapshotRows): Uint8Array<ArrayBuffer> => {
      const row = new RowScanner(rows)
      const out = new WrittenBytes(rows.length)
      while (row.next()) {
        // Where one cell is shown twice, it is a digest.
        out.reserve(besideCells + 2 * row.length)
        writeRow(row, out)
      }
      return out.written
    },
    end: () => Buffer.alloc(0),
  }
}
