import { fileFormat, headBytes, type FileFormat } from '@vitrine/rows/file-format'
import { notRows } from '@vitrine/rows/text/text-source'

/** The file endings offered by a file dialog. */
export const rowEndings = [
  '.ndjson',
  '.jsonl',
  '.json',
  '.csv',
  '.tsv',
  '.tab',
  '.parquet',
  '.xlsx',
]
export const importEndings = [...rowEndings, '.zip', '.tar', '.tgz', '.gz']

/**
 * Returns the format of a file, by its beginning and its name.
 * @throws Error where it is known to hold no rows
 */
export async function formatOf(file: File): Promise<FileFormat> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  const format = fileFormat(file.name, head)
  const reason = format.format === undefined && !format.isGzip ? notRows(head) : undefined
  if (reason !== undefined) throw new Error(`${file.name} ${reason}`)
  return format
}
