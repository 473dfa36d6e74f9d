import { nameColumns } from '../column-names.ts'
import { ParquetFile } from './parquet-file.ts'
import type { RowBatch } from '../row-batch.ts'

/**
 * Reads the rows of a Parquet file, one row group at a time or the first `rowsMost` alone. Columns of
 * bytes that are not said to be text come as bytes.
 * @throws UnreadableFile
 */
export async function* readParquet(
  blob: Blob,
  rowsMost = Infinity,
): AsyncGenerator<RowBatch, void, undefined> {
  const file = await ParquetFile.open({
    byteLength: blob.size,
    slice: (start, end) => blob.slice(start, end).arrayBuffer(),
  })
  const columns = nameColumns(file.columns.map(({ name }) => name))
  const total = file.groups.reduce((sum, { rows }) => sum + rows, 0)
  if (total === 0) yield { columns, rows: [], bytes: blob.size }
  let from = 0
  for (const group of file.groups) {
    const to = from + Math.min(group.rows, rowsMost - from)
    if (to <= from) continue
    const values = await file.read(file.columns, { from, to })
    const first = from + 1
    const rows = Array.from({ length: to - from }, (_, index) => {
      return { line: first + index, values: values.map((column) => column[index]) }
    })
    yield { columns, rows, bytes: Math.round((blob.size * to) / total) }
    from = to
  }
}
