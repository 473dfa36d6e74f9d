import { parseRowLists } from '@vitrine/rows/write/row-lists'
import { workbookStyles } from '@vitrine/rows/write/write-sheet'
import { sheetSize } from '@vitrine/rows/workbook/sheet-grid'
import { failAt } from '../failure.ts'
import type { Snapshot } from '../reading/snapshot.ts'
import type { ExportColumn } from './export-column.ts'
import { writeArchive, type ArchivePart } from './write-archive.ts'

/** Characters of a cell, as UTF-16 counts them (Excel's limits). */
const cellMax = 32_767

/**
 * Refuses what a sheet does not hold: it would be cut off by the program that opens it. Texts that may be too long are
 * read for that, others not.
 * @throws Failure QUERY_INVALID
 */
export async function requireSheet(
  snapshot: Snapshot,
  { from, to, columns }: { from: number; to: number; columns: readonly ExportColumn[] },
): Promise<void> {
  const refuse = (reason: string) => failAt('QUERY_INVALID', [{ path: ['format'], reason }])
  const max = sheetSize.rows - 1
  if (to - from > max) {
    throw refuse(
      `a sheet has ${max.toLocaleString('en')} rows below its names, and these are ` +
        `${(to - from).toLocaleString('en')}: choose some by \`from\` and \`to\`, or another format`,
    )
  }
  if (columns.length > sheetSize.columns) {
    throw refuse(
      `a sheet has ${sheetSize.columns.toLocaleString('en')} columns, and these are ` +
        columns.length.toLocaleString('en'),
    )
  }
  const id = columns[0]!
  const long = columns.filter(
    ({ name, type }) =>
      (type === 'string' || type === 'url' || type === 'json') &&
      snapshot.fields.some((field) => field.name === name && field.bytesMax > cellMax),
  )
  if (long.length === 0) return
  for await (const rows of snapshot.read(to, [id, ...long])) {
    for (const [item, ...cells] of parseRowLists(rows)) {
      const at = cells.findIndex((cell) => typeof cell === 'string' && cell.length > cellMax)
      if (at < 0) continue
      throw refuse(
        `the field ${long[at]!.name} of item ${item} has ` +
          `${String(cells[at]).length.toLocaleString('en')} characters, and a cell of a sheet ` +
          `${cellMax.toLocaleString('en')}: choose another format`,
      )
    }
  }
}

/** Writes a workbook (ECMA-376) around the XML of its one sheet. */
export function writeWorkbook(sheet: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = async function* (): AsyncGenerator<ArchivePart> {
    for (const [path, xml] of Object.entries(fixedParts)) {
      yield { path, bytes: bytesOf(`${declaration}${xml}`), compress: true }
    }
    yield { path: sheetPath, bytes: sheet, compress: true }
  }
  // Why rows cannot be read is told by what reads them.
  return writeArchive(parts(), () => {})
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const sheetPath = 'xl/worksheets/sheet1.xml'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts beside the sheet, by their paths. */
const fixedParts = {
  '[Content_Types].xml':
    `<Types xmlns="${packages}/content-types">` +
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>` +
    `<Override PartName="/${sheetPath}" ContentType="${spreadsheet}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  '_rels/.rels':
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" ` +
    `Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml':
    `<workbook xmlns="${main}" xmlns:r="${office}">` +
    `<sheets><sheet name="items" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" ` +
    `Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" ` +
    `Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': workbookStyles,
}
