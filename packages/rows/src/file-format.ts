import type { ImportFormat } from '@vitrine/contract'

/** A format of rows, and whether the file is packed by gzip. */
export type FileFormat = { format: ImportFormat | undefined; isGzip: boolean }

/** Endings of file names, and the format that they stand for. */
const endings: Readonly<Record<string, ImportFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  parquet: 'parquet',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  zip: 'zip',
  tar: 'tar',
  tgz: 'tar',
}

/** Bytes that files begin with, or hold at a place, and what they are. */
const signatures: readonly { at: number; text: string; format: ImportFormat }[] = [
  { at: 0, text: 'PAR1', format: 'parquet' },
  // The first entry of an Office document by Excel, LibreOffice, openpyxl and Gnumeric.
  { at: 30, text: '[Content_Types].xml', format: 'xlsx' },
  { at: 30, text: '_rels/.rels', format: 'xlsx' },
  { at: 30, text: 'docProps/app.xml', format: 'xlsx' },
  { at: 30, text: 'xl/worksheets/', format: 'xlsx' },
  { at: 0, text: 'PK\x03\x04', format: 'zip' },
  { at: 257, text: 'ustar', format: 'tar' },
]

/** How many of the first bytes of a file tell its format. */
export const headBytes = 512

/**
 * The format of a file by its first bytes, or else by the ending of its name; undefined where neither
 * tells. Text is never told by its content: a line may be CSV as well as TSV.
 */
export function fileFormat(name: string, head: Uint8Array): FileFormat {
  const text = String.fromCharCode(...head.subarray(0, headBytes))
  const isGzip = text.startsWith('\x1f\x8b')
  const signed = signatures.find((each) => text.startsWith(each.text, each.at))
  const named = formatOfName(name)
  // A workbook is a zip archive, and only its name or the name of an entry tells that it is more.
  const isWorkbook = signed?.format === 'zip' && named === 'xlsx'
  return { format: isWorkbook ? 'xlsx' : (signed?.format ?? named), isGzip }
}

/** The format by the ending of a name, `.gz` left out: `cities.csv.gz` is CSV. */
export function formatOfName(name: string): ImportFormat | undefined {
  const bare = name.toLowerCase().replace(/\.gz$/, '')
  return endings[bare.slice(bare.lastIndexOf('.') + 1)]
}

/** Unit that the numbers of rows count; those of some formats are on no lines of their own. */
export function rowUnit(format: ImportFormat): 'line' | 'row' {
  return format === 'parquet' || format === 'json' || format === 'xlsx' ? 'row' : 'line'
}
