import { writeCell, writeRecord, type DelimitedOptions } from '../../../rows/src/delimited-record.ts'
import type { SnapshotRows } from '../reading/snapshot.ts'
import { CellCopier } from '../../../rows/src/cell-copier.ts'
import type { ExportColumn } from './export-column.ts'
import { momentBytes, rememberMoments } from './moments.ts'
import { tableWithout } from '../../../rows/src/plain-cell.ts'
import type { RowWriter } from './row-writer.ts'

const rowEnd = Buffer.from('\r\n')

/** Writes rows as CSV or TSV; an absent value is an empty cell, an empty text is in quotes. */
export function openDelimited(
  columns: readonly ExportColumn[],
  options: DelimitedOptions,
): RowWriter {
  const delimiter = Buffer.from(options.delimiter)
  const isPlain = tableWithout(`"\\${options.delimiter}`)
  /** Of one row: a cell takes no more than in JSON, beside a delimiter and what guards it. */
  const besideCells = momentBytes + 2 * columns.length + rowEnd.length
  const momentOf = rememberMoments()
  const write = (rows: SnapshotRows): Uint8Array<ArrayBuffer> => {
    const copier = new CellCopier(rows, rows.count * besideCells)
    for (let row = 0; row < rows.count; row += 1) {
      for (let index = 0; index < columns.length; index += 1) {
        if (index > 0) copier.put(delimiter)
        if (copier.skipNull()) continue
        const { type } = columns[index]!
        if (type === 'id' || type === 'reference') copier.copyNumber()
        else if (type === 'moment') copier.put(momentOf(copier.takeNumber()))
        else if (!copier.copyPlain(isPlain)) {
          copier.put(Buffer.from(writeCell(copier.takeText(), options)))
        }
      }
      copier.put(rowEnd)
      copier.endRow()
    }
    return copier.copied
  }
  const header = columns.map(({ name }) => name)
  return {
    begin: () => new TextEncoder().encode(writeRecord(header, options)),
    write,
    end: () => Buffer.alloc(0),
  }
}
