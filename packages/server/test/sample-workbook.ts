import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

const namespace = 'http://schemas.openxmlformats.org'
const office = `${namespace}/officeDocument/2006/relationships`

/** Makes a workbook of one sheet, whose rows are given in its XML; `others` replaces parts or adds some. */
export async function workbook(
  rows: string,
  others: Readonly<Record<string, string>> = {},
): Promise<Buffer<ArrayBuffer>> {
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets><sheet name="One" sheetId="1" r:id="b"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="b" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="c" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': '<sst/>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...others,
  }
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}
