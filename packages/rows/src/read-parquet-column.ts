import { parquetRead, type AsyncBuffer, type Compressors, type FileMetaData } from 'hyparquet'
import { compressors as anySize } from 'hyparquet-compressors'
import { parsersOf, withoutTypes, type ParquetColumn } from './parquet-columns.ts'

/** A Parquet file whose columns are read one by one. */
export type ParquetSource = {
  file: AsyncBuffer
  metadata: FileMetaData
  /** Those of hyparquet-compressors, unless others are given, such as ones that refuse large pages. */
  compressors?: Compressors
}

const typeless = new WeakMap<FileMetaData, FileMetaData>()

/**
 * Reads the values of one column in some rows, the last left out: texts, numbers, truth values and bytes,
 * or an `UnfitValue`; null or undefined where there is none. What is nested comes as hyparquet makes it.
 * @throws Error where it cannot be decoded
 */
export async function readParquetColumn(
  { file, metadata, compressors = anySize }: ParquetSource,
  column: ParquetColumn,
  { from, to }: { from: number; to: number },
): Promise<unknown[]> {
  const values = Array<unknown>(to - from)
  const convert = 'convert' in column ? column.convert : undefined
  let read = metadata
  if (convert !== undefined) {
    read = typeless.get(metadata) ?? withoutTypes(metadata)
    typeless.set(metadata, read)
  }
  await parquetRead({
    file,
    metadata: read,
    columns: [column.name],
    rowStart: from,
    rowEnd: to,
    compressors,
    utf8: false,
    useOffsetIndex: true,
    ...(convert && { parsers: parsersOf(convert) }),
    onChunk: ({ columnData, rowStart }) => {
      for (let index = 0; index < columnData.length; index += 1) {
        const at = rowStart + index - from
        if (at >= 0 && at < to - from) values[at] = exact(columnData[index])
      }
    },
  })
  return values
}

/** Columns of doubles may hold whole numbers of any size, each of which is exactly what it says. */
function exact(value: unknown): unknown {
  const isLarge =
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isLarge ? String(value) : value
}
