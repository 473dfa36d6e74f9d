import { parquetMetadataAsync, type AsyncBuffer } from 'hyparquet'
import { parquetColumns } from '@vitrine/rows/parquet-columns'
import { readParquetColumn } from '@vitrine/rows/read-parquet-column'
import { UnfitValue } from '@vitrine/rows/unfit-value'
import { UnreadableFile, type RowBatch } from '../../../rows/src/row-batch.ts'

/**
 * Reads the rows of a Parquet file, one row group at a time or the first `rowsMost` alone. Columns of
 * bytes that are not said to be text come as bytes.
 * @throws UnreadableFile
 */
export async function* readParquet(
  blob: Blob,
  rowsMost = Infinity,
): AsyncGenerator<RowBatch, void, undefined> {
  const file: AsyncBuffer = {
    byteLength: blob.size,
    slice: (start, end) => blob.slice(start, end).arrayBuffer(),
  }
  try {
    const metadata = await parquetMetadataAsync(file)
    const read = parquetColumns(metadata)
    const columns = read.map(({ name }) => name)
    let rowStart = 0
    let bytes = 0
    if (metadata.row_groups.length === 0) yield { columns, rows: [], bytes: blob.size }
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Math.min(Number(group.num_rows), rowsMost - rowStart)
      if (rowEnd <= rowStart) return
      const values: unknown[][] = []
      for (const column of read) {
        values.push(
          'unfit' in column && !column.isNested
            ? Array.from({ length: rowEnd - rowStart }, () => new UnfitValue(column.unfit))
            : await readParquetColumn({ file, metadata }, column, { from: rowStart, to: rowEnd }),
        )
      }
      bytes += Number(group.total_compressed_size ?? group.total_byte_size)
      const first = rowStart + 1
      const rows = Array.from({ length: rowEnd - rowStart }, (_, index) => ({
        line: first + index,
        values: values.map((column) => column[index]),
      }))
      yield { columns, rows, bytes: Math.min(bytes, blob.size) }
      rowStart = rowEnd
    }
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UnreadableFile(`The Parquet file cannot be read: ${why}`, { cause })
  }
}
