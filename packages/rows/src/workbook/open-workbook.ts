import { quote } from '@vitrine/contract/problems'
import { UnreadableFile } from '../row-batch.ts'
import { notRows, startBytes } from '../text/text-source.ts'
import { cellFormat, type CellFormat } from './cell-format.ts'
import { PackageParts, type FileBytes } from './package-parts.ts'
import { isSet, prefixedAttribute, visitXml } from './parse-xml.ts'
import { SharedTexts } from './shared-texts.ts'
import { TextRuns } from './text-runs.ts'

/** A sheet of cells, by the part that it is in. */
export type Sheet = { name: string; path: string; isHidden: boolean }

/** A workbook of Office Open XML (ECMA-376 part 1 §12), its sheets not yet read. */
export type Workbook = {
  parts: PackageParts
  sheets: readonly Sheet[]
  formats: readonly CellFormat[]
  texts: SharedTexts
}

const zipStart = [0x50, 0x4b, 0x03, 0x04]

/** @throws UnreadableFile */
export async function openWorkbook(file: FileBytes): Promise<Workbook> {
  const head = new Uint8Array(await file.slice(0, Math.min(startBytes, file.byteLength)))
  if (!zipStart.every((byte, at) => head[at] === byte)) {
    throw new UnreadableFile(notRows(head) ?? 'is no workbook (.xlsx)')
  }
  const parts = await PackageParts.open(file)
  const main = (await parts.relationships('')).find(({ type }) => type === 'officeDocument')
  if (main === undefined || !parts.has(main.path)) {
    const isOpenDocument = parts.has('content.xml') && parts.has('mimetype')
    throw new UnreadableFile(
      isOpenDocument
        ? 'is an OpenDocument file: save it as .xlsx, or as CSV'
        : 'is a zip archive, and no workbook',
    )
  }
  if (main.path.toLowerCase().endsWith('.bin')) {
    throw new UnreadableFile('is a binary workbook (.xlsb): save it as .xlsx, or as CSV')
  }
  const related = await parts.relationships(main.path)
  const { sheets, is1904 } = await readMain(parts, main.path, related)
  const pathOf = (type: string) => related.find((each) => each.type === type)?.path
  return {
    parts,
    sheets,
    formats: await readFormats(parts, pathOf('styles'), is1904),
    texts: await readTexts(parts, pathOf('sharedStrings')),
  }
}

/**
 * Returns the sheet of a name, or the first that is not hidden.
 * @throws UnreadableFile
 */
export function chooseSheet(sheets: readonly Sheet[], name: string | undefined): Sheet {
  const [first] = [...sheets.filter(({ isHidden }) => !isHidden), ...sheets]
  const named =
    name === undefined
      ? first
      : (sheets.find((each) => each.name === name) ??
        sheets.find((each) => comparable(each.name) === comparable(name)))
  if (named !== undefined) return named
  if (sheets.length === 0) throw new UnreadableFile('has no sheet of cells')
  const names = sheets
    .slice(0, 20)
    .map((each) => quote(each.name))
    .join(', ')
  throw new UnreadableFile(
    `has no sheet ${quote(name!)}; there ${sheets.length === 1 ? 'is' : 'are'} ${names}`,
  )
}

/** Two sheets of a workbook do not differ by case alone. */
function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

async function readMain(
  parts: PackageParts,
  path: string,
  related: Awaited<ReturnType<PackageParts['relationships']>>,
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = []
  let is1904 = false
  let isWorkbook = false
  await visitXml(parts.read(path), {
    open: (name, attributes) => {
      if (name === 'workbook') isWorkbook = true
      if (name === 'workbookPr') is1904 = isSet(attributes['date1904'])
      if (name !== 'sheet') return
      const part = related.find(({ id }) => id === prefixedAttribute(attributes, 'id'))
      // There are sheets of charts and dialogs too.
      if (part?.type !== 'worksheet') return
      const { name: title = '', state = 'visible' } = attributes
      sheets.push({ name: title, path: part.path, isHidden: state !== 'visible' })
    },
  })
  if (!isWorkbook) throw new UnreadableFile('is another document of Office, and no workbook')
  return { sheets, is1904 }
}

/** Reads how the cells of each style show a number (§18.8). */
async function readFormats(
  parts: PackageParts,
  path: string | undefined,
  is1904: boolean,
): Promise<CellFormat[]> {
  if (path === undefined) return []
  const patterns = new Map<number, string>()
  const ids: number[] = []
  let isCellStyles = false
  await visitXml(parts.read(path), {
    open: (name, { numFmtId: id, formatCode: code }) => {
      if (name === 'numFmt' && code !== undefined) patterns.set(Number(id), code)
      else if (name === 'cellXfs') isCellStyles = true
      else if (name === 'xf' && isCellStyles) ids.push(Number(id ?? 0))
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyles = false
    },
  })
  const formats = new Map<number, CellFormat>()
  return ids.map((id) => {
    const format = formats.get(id) ?? cellFormat({ id, text: patterns.get(id), is1904 })
    formats.set(id, format)
    return format
  })
}

async function readTexts(parts: PackageParts, path: string | undefined): Promise<SharedTexts> {
  const texts = new SharedTexts()
  if (path === undefined) return texts
  const runs = new TextRuns()
  await visitXml(parts.read(path), {
    open: (name) => {
      if (name === 'si') runs.begin()
      else runs.open(name)
    },
    text: (text) => runs.text(text),
    close: (name) => {
      if (name === 'si') texts.add(runs.end() ?? '')
      else runs.close(name)
    },
  })
  return texts
}
