import { CellCopier } from './cell-copier.ts'
import { tableWithout } from './plain-cell.ts'
import { type DelimitedOptions, writeCell, writeRecord } from '../text/delimited-record.ts'
import { besideCell, rememberMoments } from './moment-bytes.ts'
import type { ColumnKind, RowLists, RowWriter, WrittenColumn } from './row-writer.ts'

const utf8 = new TextEncoder()
const rowEnd = utf8.encode('\r\n')
const zone = utf8.encode('Z')
const truth = { yes: utf8.encode('true'), no: utf8.encode('false') }

/**
 * Writes rows as CSV or TSV with a line of names first; an absent value is an empty cell, an empty text is in
 * quotes. With a guard it is for spreadsheets.
 */
export function writeDelimited(
  columns: readonly WrittenColumn[],
  options: DelimitedOptions,
): RowWriter {
  const delimiter = utf8.encode(options.delimiter)
  /** Bytes of a row beside its cells, with a delimiter and a guard for each. */
  const besideCells = columns.reduce(
    (bytes, { kind }) => bytes + 2 + besideCell[kind],
    rowEnd.length,
  )
  const copyCell = prepareCopy(options)
  const write = (rows: RowLists): Uint8Array<ArrayBuffer> => {
    const copier = new CellCopier(rows, rows.count * besideCells)
    for (let row = 0; row < rows.count; row += 1) {
      for (let index = 0; index < columns.length; index += 1) {
        if (index > 0) copier.put(delimiter)
        if (!copier.skipNull()) copyCell(copier, columns[index]!.kind)
      }
      copier.put(rowEnd)
      copier.endRow()
    }
    return copier.copied
  }
  const header = columns.map(({ name }) => name)
  return {
    // Excel takes a file for UTF-8 by a byte order mark alone.
    begin: () => utf8.encode(`${options.guard ? '\ufeff' : ''}${writeRecord(header, options)}`),
    write,
    end: () => new Uint8Array(),
  }
}

function prepareCopy(options: DelimitedOptions): (copier: CellCopier, kind: ColumnKind) => void {
  const isPlain = tableWithout(`"\\${options.delimiter}`)
  const momentOf = rememberMoments()
  const copyText = (copier: CellCopier): void => {
    if (copier.copyPlain(isPlain)) return
    copier.put(utf8.encode(writeCell(copier.takeText(), options)))
  }
  return (copier, kind) => {
    switch (kind) {
      case 'text':
      case 'date':
      case 'json':
        return copyText(copier)
      case 'integer':
        return copier.copyNumber()
      case 'number':
        return copier.put(utf8.encode(writeCell(String(copier.takeNumber()), options)))
      case 'boolean':
        return copier.put(copier.takeNumber() === 1 ? truth.yes : truth.no)
      case 'timestamp':
        copyText(copier)
        return copier.put(zone)
      case 'millisecond':
        return copier.put(momentOf(copier.takeNumber()))
    }
  }
}
