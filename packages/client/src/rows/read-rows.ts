import { csv, tsv } from '@vitrine/rows/parse-delimited'
import { createDelimitedReader } from './read-delimited.ts'
import { createNdjsonReader } from './read-ndjson.ts'
import { UnreadableFile, type RowBatch } from '../../../rows/src/row-batch.ts'

/** The formats of rows that are text. */
export type TextFormat = 'ndjson' | 'csv' | 'tsv'

const readers = {
  ndjson: createNdjsonReader,
  csv: () => createDelimitedReader(csv),
  tsv: () => createDelimitedReader(tsv),
}

/** How much of a file is in memory at a time. */
const sliceBytes = 1024 * 1024

/**
 * Reads the rows of a file of text, slice by slice.
 * @throws UnreadableFile
 */
export async function* readRows(
  file: Blob,
  format: TextFormat,
): AsyncGenerator<RowBatch, void, undefined> {
  const reader = readers[format]()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let from = 0; from === 0 || from < file.size; from += sliceBytes) {
    const bytes = Math.min(from + sliceBytes, file.size)
    const slice = await file.slice(from, bytes).arrayBuffer()
    const isLast = bytes === file.size
    const rows = reader.read(decode(decoder, slice, isLast), isLast)
    yield { columns: reader.columns, rows, bytes }
  }
}

function decode(decoder: TextDecoder, slice: ArrayBuffer, isLast: boolean): string {
  try {
    return decoder.decode(slice, { stream: !isLast })
  } catch (cause) {
    throw new UnreadableFile('The file is not UTF-8: save it as UTF-8 and choose it again', {
      cause,
    })
  }
}
