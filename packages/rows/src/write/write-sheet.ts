import {
  type Cell,
  type ColumnKind,
  type RowWriter,
  type WrittenColumn,
  parseRowLists,
} from './row-writer.ts'
import { columnLetters } from '../workbook/sheet-cells.ts'
import { escapeText } from '../workbook/text-runs.ts'

/** Formats of cells by their places in `workbookStyles`. */
const styles = { names: 1, text: 2, date: 3, second: 4, millisecond: 5 }

/** The styles of a workbook (ECMA-376 part 1 §18.8). Texts have a format of their own, so that what is typed stays one. */
export const workbookStyles =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  [49, 164, 165, 166]
    .map(
      (id) =>
        `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    )
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

/** Style of a new cell in a column, and its width in characters. */
const looks: Record<ColumnKind, { style: number; width: number }> = {
  text: { style: styles.text, width: 24 },
  integer: { style: 0, width: 12 },
  number: { style: 0, width: 14 },
  boolean: { style: 0, width: 10 },
  date: { style: styles.date, width: 12 },
  timestamp: { style: styles.second, width: 22 },
  millisecond: { style: styles.millisecond, width: 24 },
  json: { style: styles.text, width: 32 },
}

const utf8 = new TextEncoder()

/**
 * Writes rows as a sheet of a workbook (§18.3), with a line of names first, which stays in sight. Spreadsheets keep 15
 * digits of a number, milliseconds of a moment and days since 1900: what has more or is before is written as a text.
 */
export function writeSheet(columns: readonly WrittenColumn[]): RowWriter {
  const letters = columns.map((_, index) => columnLetters(index))
  let line = 1
  const writeRow = (cells: readonly string[]) => {
    const row = `<row r="${line}">${cells.join('')}</row>`
    line += 1
    return row
  }
  const begin = () => {
    const widths = columns.map(({ kind }, index) => {
      const { style, width } = looks[kind]
      return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${style}" customWidth="1"/>`
    })
    const names = columns.map(({ name }, index) =>
      textCell(`${letters[index]}1`, name, styles.names),
    )
    return utf8.encode(
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
        '<sheetViews><sheetView workbookViewId="0">' +
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
        `</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${writeRow(names)}`,
    )
  }
  return {
    begin,
    write: (rows) => {
      const written = parseRowLists(rows).map((cells) =>
        writeRow(
          columns.map(({ kind }, index) => {
            const cell = cells[index]!
            return cell === null ? '' : writeCell[kind](`${letters[index]}${line}`, cell)
          }),
        ),
      )
      return utf8.encode(written.join(''))
    },
    end: () => utf8.encode('</sheetData></worksheet>'),
  }
}

const textOf = (place: string, cell: Cell) => textCell(place, String(cell), styles.text)

const writeCell: Record<ColumnKind, (place: string, cell: Cell) => string> = {
  text: textOf,
  json: textOf,
  integer: numberCell,
  number: numberCell,
  boolean: (place, cell) => `<c r="${place}" t="b"><v>${cell}</v></c>`,
  date: (place, cell) => {
    const days = serialOf(`${cell}`)
    return days === undefined ? textOf(place, cell) : styledCell(place, days, styles.date)
  },
  timestamp: (place, cell) => momentCell(place, `${cell}Z`),
  millisecond: (place, cell) => momentCell(place, new Date(Number(cell)).toISOString()),
}

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
}

function styledCell(place: string, number: number, style: number): string {
  return `<c r="${place}" s="${style}"><v>${number}</v></c>`
}

/** Numbers that a spreadsheet takes: those below are 0 to it, and those above damage. */
const magnitude = { min: 2.2251e-308, max: 9.99999999999999e307 }
/** Integers below have digits that spreadsheets keep, all 15 of them. */
const exactBelow = 1e15

function numberCell(place: string, cell: Cell): string {
  const size = Math.abs(Number(cell))
  const isKept = Number.isInteger(cell)
    ? size < exactBelow
    : size >= magnitude.min && size <= magnitude.max
  return isKept ? `<c r="${place}"><v>${cell}</v></c>` : textOf(place, cell)
}

/** A moment in ISO 8601 with its Z; a text where a spreadsheet would keep another one. */
function momentCell(place: string, moment: string): string {
  const days = serialOf(moment)
  const [, fraction = ''] = /\.(\d+)Z$/.exec(moment) ?? []
  if (days === undefined || /^\d{3}0*[1-9]/.test(fraction)) return textOf(place, moment)
  return styledCell(place, days, /[1-9]/.test(fraction) ? styles.millisecond : styles.second)
}

const dayMs = 86_400_000
/** Days from the first of 1900 to where Unix counts from, with the 29 February that 1900 did not have. */
const epochDays = 25_569

/** Returns days since 1900 (§18.17.4.1); undefined before the day that spreadsheets count and 1900 did not have. */
function serialOf(moment: string): number | undefined {
  return moment < '1900-03-01' ? undefined : Date.parse(moment) / dayMs + epochDays
}
