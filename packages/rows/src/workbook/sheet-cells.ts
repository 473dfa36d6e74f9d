import { limits } from '@vitrine/contract/limits'
import { UnreadableFile, type SourceRow, type WorkbookFacts } from '../row-batch.ts'
import { sayTooLong } from '../row-block.ts'
import { plainNumber, type CellValue } from './cell-format.ts'
import type { Workbook } from './open-workbook.ts'
import { isSet, type Attributes, type XmlVisitor } from './parse-xml.ts'
import { columnOf, sheetSize } from './sheet-grid.ts'
import { ShownValue } from './shown-value.ts'
import { TextRuns, unescapeText } from './text-runs.ts'

/** A row of a sheet, by its number there; `values` begins in column A. */
export type SheetRow = Pick<SourceRow, 'line' | 'values' | 'problem'>

export type SheetLayout = Omit<WorkbookFacts, 'sheet' | 'sheets' | 'namesRow'>

/** Collects the rows of a sheet from its XML; rows without a value are left out. */
export class SheetCells implements XmlVisitor {
  readonly layout: SheetLayout = { mergedAreas: 0, hiddenRows: 0, hiddenColumns: 0 }
  readonly #workbook: Pick<Workbook, 'formats' | 'texts'>
  readonly #runs = new TextRuns()
  #rows: SheetRow[] = []
  #row: { line: number; values: (CellValue | undefined)[]; isHidden: boolean } = emptyRow(0)
  #problem: string | undefined
  #characters = 0
  #column = -1
  #cell: Attributes | undefined
  #value: string | undefined
  #isValue = false
  #hasFormula = false

  constructor(workbook: Pick<Workbook, 'formats' | 'texts'>) {
    this.#workbook = workbook
  }

  /** Takes the rows that are complete. */
  take(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'col':
        this.#countHidden(attributes)
        break
      case 'row':
        this.#beginRow(attributes)
        break
      case 'c':
        this.#beginCell(attributes)
        break
      case 'v':
        this.#isValue = this.#cell !== undefined
        if (this.#isValue) this.#value = ''
        break
      case 'f':
        this.#hasFormula = true
        break
      case 'mergeCell':
        this.layout.mergedAreas += 1
        break
      default:
        this.#runs.open(name)
    }
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text
    else if (this.#cell !== undefined) this.#runs.text(text)
  }

  close(name: string): void {
    if (name === 'v') this.#isValue = false
    else if (name === 'c') this.#endCell()
    else if (name === 'row') this.#endRow()
    else this.#runs.close(name)
  }

  #countHidden({ min, max, hidden }: Attributes): void {
    if (!isSet(hidden)) return
    // To the end of the sheet is where nothing is.
    const [from, to] = [Number(min), Number(max)]
    if (to < sheetSize.columns) this.layout.hiddenColumns += to - from + 1
  }

  #beginRow({ r, hidden }: Attributes): void {
    const line = r === undefined ? this.#row.line + 1 : Number(r)
    if (!(line > this.#row.line && line <= sheetSize.rows)) {
      throw new UnreadableFile(`is a damaged workbook: row ${r} stands after row ${this.#row.line}`)
    }
    this.#row = { ...emptyRow(line), isHidden: isSet(hidden) }
    this.#problem = undefined
    this.#characters = 0
    this.#column = -1
  }

  #beginCell(attributes: Attributes): void {
    const { r } = attributes
    const column = r === undefined ? this.#column + 1 : columnOf(r)
    if (!(column > this.#column && column < sheetSize.columns)) {
      throw new UnreadableFile(
        `is a damaged workbook: cell ${r} of row ${this.#row.line} is out of its place`,
      )
    }
    this.#column = column
    this.#cell = attributes
    this.#value = undefined
    this.#hasFormula = false
    this.#runs.begin()
  }

  #endCell(): void {
    const value = this.#readCell(this.#cell!)
    this.#cell = undefined
    if (value === undefined) return
    this.#characters += lengthOf(value)
    if (this.#characters > limits.rowBytes) this.#problem ??= sayTooLong()
    else this.#row.values[this.#column] = value
  }

  #readCell({ t: type = 'n', s: style = '0', r }: Attributes): CellValue | undefined {
    const written = this.#value
    if (type === 'inlineStr') return this.#runs.end()
    if (written === undefined || (written === '' && type !== 'str')) {
      if (this.#hasFormula) {
        this.#problem ??= `has in ${r ?? 'a cell'} a formula without its result: open the workbook in a spreadsheet program, and save it`
      }
      return undefined
    }
    switch (type) {
      case 's': {
        const text = this.#workbook.texts.get(Number(written))
        if (text !== undefined) return text || undefined
        throw new UnreadableFile(`is a damaged workbook: it has no text ${written}`)
      }
      case 'b':
        return written === '1' || written === 'true'
          ? new ShownValue(true, 'TRUE')
          : new ShownValue(false, 'FALSE')
      case 'n':
        return this.#workbook.formats[Number(style)]?.(written) ?? plainNumber(written)
      default:
        // Texts of formulas, errors such as #N/A, and dates in ISO 8601.
        return unescapeText(written) || undefined
    }
  }

  #endRow(): void {
    const { line, values, isHidden } = this.#row
    if (values.length === 0 && this.#problem === undefined) return
    if (isHidden) this.layout.hiddenRows += 1
    this.#rows.push({
      line,
      values,
      ...(this.#problem !== undefined && { problem: this.#problem }),
    })
  }
}

function emptyRow(line: number): { line: number; values: CellValue[]; isHidden: boolean } {
  return { line, values: [], isHidden: false }
}

function lengthOf(value: CellValue): number {
  if (value instanceof ShownValue) return lengthOf(value.value) + value.shown.length
  return typeof value === 'string' ? value.length : 8
}
