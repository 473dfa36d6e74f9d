import { parseRowLists } from './row-lists.ts'
import type { RowWriter, WrittenColumn } from './row-writer.ts'
import { columnKinds, kindOf } from './column-kinds.ts'
import type { SheetValue } from './sheet-value.ts'
import { columnLetters } from '../workbook/sheet-grid.ts'
import { escapeText } from '../workbook/text-runs.ts'

/** Number formats of all kinds of columns. Texts have one of their own, so that what is typed stays one. */
const formats = [
  ...new Set(Object.values(columnKinds).flatMap(({ sheet }): readonly string[] => sheet.formats)),
]
/** Styles by their places in `workbookStyles`: none, that of names, and one for each format. */
const namesStyle = 1
const styleOf = (format: string | undefined) =>
  format === undefined ? 0 : namesStyle + 1 + formats.indexOf(format)

/** Built in by the number 49 (§18.8.30); others have numbers from 164 on. */
const textFormat = '@'
const ownFormats = formats.filter((format) => format !== textFormat)
const numberOf = (format: string) => (format === textFormat ? 49 : 164 + ownFormats.indexOf(format))

/** The styles of a workbook (ECMA-376 part 1 §18.8). */
export const workbookStyles =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  `<numFmts count="${ownFormats.length}">` +
  ownFormats
    .map((format) => `<numFmt numFmtId="${numberOf(format)}" formatCode="${format}"/>`)
    .join('') +
  '</numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${2 + formats.length}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  formats
    .map(
      (format) =>
        `<xf numFmtId="${numberOf(format)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    )
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

const utf8 = new TextEncoder()

/** Writes rows as a sheet of a workbook (§18.3), with a line of names first, which stays in sight. */
export function writeSheet(columns: readonly WrittenColumn[]): RowWriter {
  const letters = columns.map((_, index) => columnLetters(index))
  const sheets = columns.map((column) => kindOf(column).sheet)
  let line = 1
  const writeRow = (cells: readonly string[]) => {
    const row = `<row r="${line}">${cells.join('')}</row>`
    line += 1
    return row
  }
  const begin = () => {
    const widths = sheets.map(({ width, formats: [format] }, index) => {
      return `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${styleOf(format)}" customWidth="1"/>`
    })
    const names = columns.map(({ name }, index) => textCell(`${letters[index]}1`, name, namesStyle))
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
          sheets.map(({ valueOf }, index) => {
            const cell = cells[index]!
            return cell === null ? '' : writeCell(`${letters[index]}${line}`, valueOf(cell))
          }),
        ),
      )
      return utf8.encode(written.join(''))
    },
    end: () => utf8.encode('</sheetData></worksheet>'),
  }
}

function writeCell(place: string, value: SheetValue): string {
  if ('text' in value) return textCell(place, value.text, styleOf(textFormat))
  if ('boolean' in value) return `<c r="${place}" t="b"><v>${value.boolean}</v></c>`
  const style = value.format === undefined ? '' : ` s="${styleOf(value.format)}"`
  return `<c r="${place}"${style}><v>${value.number}</v></c>`
}

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
}
