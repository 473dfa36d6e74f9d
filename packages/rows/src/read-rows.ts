import type { ReadOptions } from './reading.ts'
import { readText } from './text/read-text.ts'
import type { RowBatch } from './row-batch.ts'

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
    const { readWorkbook } = await import('./workbook/read-workbook.ts')
    const slice = (start: number, end: number) => file.slice(start, end).arrayBuffer()
    return yield* readWorkbook({ byteLength: file.size, slice }, options)
  }
  const { readParquet } = await import('./parquet/read-parquet.ts')
  yield* readParquet(file, rowsMost)
}
