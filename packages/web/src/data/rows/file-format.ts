import { fileFormat, headBytes, type FileFormat } from '@vitrine/rows/file-format'

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

/** The format of a file, by its beginning and its name. */
export async function formatOf(file: File): Promise<FileFormat> {
  return fileFormat(file.name, new Uint8Array(await file.slice(0, headBytes).arrayBuffer()))
}
