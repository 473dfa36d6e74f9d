import { CellCopier } from './cell-copier.ts'
import { tableWithout } from './plain-cell.ts'
import { type DelimitedOptions, writeCell, writeRecord } from '../text/delimited-record.ts'
import { type KindDefinition, kindOf } from './column-kinds.ts'
import type { RowLists } from './row-lists.ts'
import type { RowWriter, WrittenColumn } from './row-writer.ts'

const utf8 = new TextEncoder()
const rowEnd = utf8.encode('\r\n')
const decoder = new TextDecoder()
const minus = 0x2d
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
  const kinds = columns.map(kindOf)
  const besideCells = kinds.reduce((bytes, { besideCell }) => bytes + 2 + besideCell, rowEnd.length)
  const copyCell = prepareCopy(kinds, options)
  const write = (rows: RowLists): Uint8Array<ArrayBuffer> => {
    const copier = new CellCopier(rows, rows.count * besideCells)
    for (let row = 0; row < rows.count; row += 1) {
      for (let index = 0; index < columns.length; index += 1) {
        if (index > 0) copier.put(delimiter)
        if (!copier.skipNull()) copyCell(copier, kinds[index]!)
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

function prepareCopy(
  kinds: readonly KindDefinition[],
  options: DelimitedOptions,
): (copier: CellCopier, kind: KindDefinition) => void {
  const isPlain = tableWithout(`"\\${options.delimiter}`)

  const makers = new Map(kinds.map((kind) => [kind, kind.makeText?.()]))
  const copyText = (copier: CellCopier): void => {
    if (copier.copyPlain(isPlain)) return
    copier.put(utf8.encode(writeCell(copier.takeText(), options)))
  }
  return (copier, kind) => {
    switch (kind.form) {
      case 'text':
      case 'json':
        return copyText(copier)
      case 'integer':
        return copier.copyNumber()
      case 'number':
        return copier.put(utf8.encode(writeCell(String(copier.takeNumber()), options)))
      case 'boolean':
        return copier.put(copier.takeNumber() === 1 ? truth.yes : truth.no)
      case 'moment':
        copyText(copier)
        return copier.put(zone)
      case 'made': {
        const made = makers.get(kind)!(copier.takeNumber())
        const isFormula = options.guard && made[0] === minus
        return copier.put(isFormula ? utf8.encode(writeCell(decoder.decode(made), options)) : made)
      }
    }
  }
}
