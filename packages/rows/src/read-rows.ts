import { readText } from './read-text.ts'
import type { RowBatch } from './row-batch.ts'

/** The formats of rows that are text. */
export type TextFormat = 'ndjson' | 'json' | 'csv' | 'tsv'
export type RowFormat = TextFormat | 'parquet' | 'xlsx'

/** How a file differs from others of its format: the first five are of text. */
export type Reading = {
  /** By its name (`encodingOf`); UTF-8 where it is left out. */
  encoding?: string | undefined
  /** Detected where it is left out, as all that follows is of CSV and TSV. */
  delimiter?: string | undefined
  /** What stands around a cell that holds delimiters or line breaks, or `none`; `"` where it is left out. */
  quote?: string | undefined
  /** With what lines begin that are no rows. */
  comment?: string | undefined
  /** Lines before that of names; in a workbook rows of its sheet. */
  skip?: number | undefined
  /** Sheet of a workbook; the first that is not hidden where it is left out. */
  sheet?: string | undefined
}

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
