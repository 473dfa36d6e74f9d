// Runs in a checking thread.

import { quote } from '@vitrine/contract/problems'
import { readWorkbook, type SheetOptions } from '@vitrine/rows/workbook/read-workbook'
import { UnreadableFile, type WorkbookFacts } from '@vitrine/rows/row-batch'
import { textOf } from '@vitrine/rows/text-of'
import { unpackedMax, unpacksTooFar } from '@vitrine/rows/unpacked-bound'
import { ShownValue, takesValue } from '@vitrine/rows/workbook/shown-value'
import type { Cell } from '@vitrine/rows/text/parse-delimited'
import { delimitedRow, type DelimitedFormat } from './delimited-row.ts'
import { malformedRow, type ParsedBlock, type VisitRow } from './raw-row.ts'

// Rows of a sheet between the thread that reads the workbook, which takes them in their order, and those that check
// them side by side: each one in JSON on the line of its number, so that lines count as the sheet's rows do.

/** Cell as its text, or as its value with the text that it shows; 0 is the null of the options. */
type SheetCell = null | 0 | string | [value: string, shown: string]
type SheetLine = SheetCell[] | { problem: string }

/** The first line, which stands for the row of names. */
export type SheetHead = { names: readonly string[]; namesRow: number }

/** Bytes that are handed on together. */
const pieceBytes = 1024 * 1024

/**
 * Hands the rows of a workbook on as lines: the names of the columns first, and those after them by their numbers.
 * @throws UnreadableFile
 */
export async function writeSheetLines(
  file: Parameters<typeof readWorkbook>[0],
  options: SheetOptions,
  keep: (bytes: Buffer<ArrayBuffer>) => Promise<void>,
): Promise<WorkbookFacts> {
  let left = unpackedMax(file.byteLength)
  let facts: WorkbookFacts | undefined
  let line = 0
  let pieces: string[] = []
  let length = 0
  const add = (text: string) => {
    pieces.push(text)
    length += text.length
    left -= text.length
    if (left < 0) throw new UnreadableFile(unpacksTooFar)
  }
  const flush = async () => {
    const bytes = Buffer.from(pieces.join(''))
    pieces = []
    length = 0
    if (bytes.length > 0) await keep(bytes)
  }
  const addLine = (at: number, content: SheetLine) => {
    add(`${'\n'.repeat(at - line)}${JSON.stringify(content)}\n`)
    line = at + 1
  }
  for await (const { columns, rows, workbook } of readWorkbook(file, options)) {
    if (facts === undefined) {
      if (columns.length === 0) {
        const missing = options.header === 'none' ? 'row' : 'row of names'
        throw new UnreadableFile(`has no ${missing} in its sheet ${quote(workbook!.sheet)}`)
      }
      const head: SheetHead = { names: columns, namesRow: workbook!.namesRow }
      add(`${JSON.stringify(head)}\n`)
      line = head.namesRow + 1
    }
    facts = workbook!
    for (const { line: at, values, problem } of rows) {
      addLine(at, problem === undefined ? Array.from(values, toSheetCell) : { problem })
      if (length >= pieceBytes) await flush()
    }
  }
  await flush()
  return facts!
}

function toSheetCell(value: unknown): SheetCell {
  if (value instanceof ShownValue) return [String(value.value), value.shown]
  return value === null ? 0 : (textOf(value) ?? null)
}

export type SheetFormat = Omit<DelimitedFormat, 'dialect'>

/** Prepares to read rows from the lines that hold them. */
export function prepareSheetLines(
  format: SheetFormat,
): (lines: Uint8Array, visit: VisitRow) => ParsedBlock {
  const isValue = format.columns.map(
    (column) => column.kind === 'value' && takesValue(format.schema[column.field]!.type),
  )
  const cellOf = (cell: SheetCell, column: number): Cell => {
    if (Array.isArray(cell)) return cell[isValue[column] === true ? 0 : 1]
    return cell === 0 ? null : (cell ?? undefined)
  }
  return (lines, visit) => {
    const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString().split('\n')
    texts.forEach((text, line) => {
      if (text === '') return
      const row = JSON.parse(text) as SheetLine
      if (Array.isArray(row)) visit(delimitedRow(row.map(cellOf), line, format))
      else visit(malformedRow(line, row.problem))
    })
    return { lines: texts.length - 1 }
  }
}
