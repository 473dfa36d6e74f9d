import { nameColumns } from '../column-names.ts'
import type { Reading } from '../reading.ts'
import { type RowBatch, type SourceRow, UnreadableFile } from '../row-batch.ts'
import { shownText } from './shown-value.ts'
import { chooseSheet, openWorkbook } from './open-workbook.ts'
import type { FileBytes } from './package-parts.ts'
import { parseXml } from './parse-xml.ts'
import { type SheetRow, SheetCells } from './sheet-cells.ts'
import { columnLetters } from './sheet-grid.ts'

/** Options of reading a workbook. */
export type SheetOptions = Pick<Reading, 'sheet' | 'skip' | 'null' | 'header'> & {
  /** Whether a title above the names is found, where `skip` is left out. */
  isDetected?: boolean | undefined
}

/** Rows with a value before it is clear which one has the names. */
const headRows = 20

/**
 * Reads the rows of a sheet: the first one with a value has the names of the columns. An empty sheet has none.
 * @throws UnreadableFile
 */
export async function* readWorkbook(
  file: FileBytes,
  { sheet: name, skip, null: nullText, header, isDetected = false }: SheetOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  const workbook = await openWorkbook(file)
  const { parts, sheets } = workbook
  const sheet = chooseSheet(sheets, name)
  const cells = new SheetCells(workbook)
  let table: Table | undefined
  const batchOf = (rows: readonly SheetRow[]): RowBatch => ({
    columns: table!.columns,
    rows: rows.map((row) => table!.place(row, nullText)),
    reading: { sheet: sheet.name, skip: table!.skip, null: nullText, header },
    workbook: {
      sheet: sheet.name,
      sheets: sheets.map((each) => each.name),
      namesRow: table!.namesRow,
      ...cells.layout,
    },
    bytes: Math.min(parts.bytesRead, file.byteLength),
  })
  let head: SheetRow[] = []
  for await (const _ of parseXml(parts.read(sheet.path), cells)) {
    const rows = cells.take().filter(({ line }) => line > (skip ?? 0))
    if (table !== undefined) {
      if (rows.length > 0) yield batchOf(rows)
      continue
    }
    head.push(...rows)
    if (head.length < headRows) continue
    table = new Table(head, { skip, header, isDetected })
    yield batchOf(head.slice(table.headRows))
    head = []
  }
  if (table === undefined) {
    table = new Table(head, { skip, header, isDetected })
    head = head.slice(table.headRows)
  }
  // Which areas are merged stands behind the rows.
  yield batchOf(head)
}

/** The columns of a sheet, which may begin in any one. */
class Table {
  readonly columns: readonly string[]
  /** How many rows with a value there are up to that of names. */
  readonly headRows: number
  readonly skip: number | undefined
  readonly namesRow: number
  readonly #from: number

  /** @throws UnreadableFile */
  constructor(
    begun: readonly SheetRow[],
    { skip, header, isDetected }: Pick<SheetOptions, 'skip' | 'header' | 'isDetected'>,
  ) {
    // How many more rows there are depends on how the file came.
    const head = begun.slice(0, headRows)
    if (header === 'none') {
      const width = Math.max(0, ...head.map(({ values }) => values.length))
      const froms = head.map(({ values }) => values.findIndex((value) => value !== undefined))
      this.headRows = 0
      this.skip = skip
      this.#from = Math.min(...froms.filter((from) => from >= 0), width)
      this.namesRow = (head[0]?.line ?? 1) - 1
      this.columns = nameColumns(Array(width - this.#from).fill(''))
      return
    }
    const at = isDetected === true && skip === undefined ? findNames(head) : 0
    const row = head[at]
    if (row?.problem !== undefined) {
      throw new UnreadableFile(row.problem, { place: `Row ${row.line}` })
    }
    const names = Array.from(row?.values ?? [], (value) => shownText(value) ?? '')
    this.headRows = at + 1
    this.skip = at === 0 ? skip : row!.line - 1
    this.#from = Math.max(
      0,
      names.findIndex((name) => name !== ''),
    )
    this.namesRow = row?.line ?? 0
    this.columns = nameColumns(names.slice(this.#from))
  }

  /** Returns a row with a value for each column. */
  place(row: SheetRow, nullText: string | undefined): SourceRow {
    const values =
      nullText === undefined
        ? row.values
        : row.values.map((value) => (shownText(value) === nullText ? null : value))
    const to = this.#from + this.columns.length
    const missing =
      this.headRows === 0
        ? 'where the first rows have none'
        : `which has no name in row ${this.namesRow}`
    const stray = values.findIndex(
      (value, at) => value !== undefined && (at < this.#from || at >= to),
    )
    return {
      ...row,
      values: values.slice(this.#from, to),
      ...(stray >= 0 && {
        problem: `has a value in column ${columnLetters(stray)}, ${missing}`,
      }),
    }
  }
}

/** Finds the row of names below a title, which stands alone in its row. */
function findNames(head: readonly SheetRow[]): number {
  const widths = head.map(({ values }) => values.filter((value) => value !== undefined).length)
  const at = widths.findIndex((width) => width > 1)
  return at > 0 && at < head.length - 1 && widths[at]! * 2 > Math.max(...widths) ? at : 0
}
