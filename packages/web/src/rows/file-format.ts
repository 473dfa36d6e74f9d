import type { ImportFormat } from '@vitrine/contract'

/** Endings of file names, and the format that they stand for. */
const endings: Readonly<Record<string, ImportFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  parquet: 'parquet',
  zip: 'zip',
  tar: 'tar',
}

/** What a file dialog is asked to offer. */
export const rowEndings = ['.ndjson', '.jsonl', '.csv', '.tsv', '.tab', '.parquet']
export const importEndings = [...rowEndings, '.zip', '.tar', '.gz']

/** Bytes that files begin with, or hold at a place, and what they are. */
const signatures: readonly { at: number; text: string; format: ImportFormat | 'gzip' }[] = [
  { at: 0, text: 'PAR1', format: 'parquet' },
  { at: 0, text: 'PK\x03\x04', format: 'zip' },
  { at: 257, text: 'ustar', format: 'tar' },
  { at: 0, text: '\x1f\x8b', format: 'gzip' },
]

/**
 * The format of a file by its first bytes, or else by the ending of its name; undefined where neither
 * tells. Text is never told by its content: a line may be CSV as well as TSV.
 */
export async function formatOf(file: File): Promise<ImportFormat | 'gzip' | undefined> {
  const bytes = new Uint8Array(await file.slice(0, 512).arrayBuffer())
  const head = String.fromCharCode(...bytes)
  const signed = signatures.find(({ at, text }) => head.startsWith(text, at))
  return signed?.format ?? endingOf(file.name)
}

function endingOf(name: string): ImportFormat | undefined {
  return endings[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
}

/** The format of rows in a file of gzip, by its name, such as `cities.csv.gz`. */
export function formatInGzip(name: string): 'ndjson' | 'csv' | 'tsv' | undefined {
  const format = endingOf(name.replace(/\.gz$/i, ''))
  return format === 'ndjson' || format === 'csv' || format === 'tsv' ? format : undefined
}
