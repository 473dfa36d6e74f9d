import type { Reading } from './reading.ts'
import { readText } from './read-text.ts'
import type { RowBatch } from './row-batch.ts'

/** The formats of rows that are text. */
export type TextFormat = 'ndjson' | 'json' | 'csv' | 'tsv'
export type RowFormat = TextFormat | 'parquet' | 'xlsx'

export type ReadOptions = Reading & {
  format: RowFormat
  /** The rows that are wanted, where not all are: of Parquet no more are decoded. */
  rowsMost?: number
  /** Whether it is found out by its beginning how text is read, where nothing but a delimiter is given. */
  isDetected?: boolean
}

/**
 * Reads the rows of a file, some at a time. Text may be packed by gzip. The code that reads Parquet or
 * workbooks is loaded where there is such a file.
 * @throws UnreadableFile
 */
export async function* readRows(
  file: Blob,
  { format, rowsMost, ...options }: ReadOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  if (format !== 'parquet' && format !== 'xlsx')
    return yield* readText(file, { format, ...options })
  if (format === 'xlsx') {
    const { readWorkbook } = await import('./read-workbook.ts')
    const slice = (start: number, end: number) => file.slice(start, end).arrayBuffer()
    return yield* readWorkbook({ byteLength: file.size, slice }, options)
  }
  const { readParquet } = await import('./read-parquet.ts')
  yield* readParquet(file, rowsMost)
}
