import { parquetMetadataAsync, parquetReadObjects, type AsyncBuffer } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { UnreadableFile, type RowBatch } from './row-batch.ts'

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
    const columns = topColumns(metadata.schema)
    let rowStart = 0
    let bytes = 0
    if (metadata.row_groups.length === 0) yield { columns, rows: [], bytes: blob.size }
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Math.min(Number(group.num_rows), rowsMost - rowStart)
      if (rowEnd <= rowStart) return
      const objects = await parquetReadObjects({
        file,
        metadata,
        rowStart,
        rowEnd,
        compressors,
        utf8: false,
        useOffsetIndex: true,
      })
      bytes += Number(group.total_compressed_size ?? group.total_byte_size)
      const first = rowStart + 1
      const rows = objects.map((object, index) => ({
        line: first + index,
        values: columns.map((name): unknown => object[name]),
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

type Element = { name: string; num_children?: number }

/** The names of the columns, of nested ones the outermost: the schema lists a tree depth first. */
function topColumns(schema: readonly Element[]): string[] {
  const names: string[] = []
  const skip = (at: number): number => {
    let next = at + 1
    for (let child = 0; child < (schema[at]?.num_children ?? 0); child += 1) next = skip(next)
    return next
  }
  for (let at = 1; at < schema.length; at = skip(at)) names.push(schema[at]!.name)
  return names
}
