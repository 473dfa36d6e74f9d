import {
  parquetRead,
  type AsyncBuffer,
  type Compressors,
  type DecodedArray,
  type FileMetaData,
} from 'hyparquet'
import { compressors as anySize } from 'hyparquet-compressors'
import { toValues, type ParquetColumn } from './parquet-columns.ts'
import { readColumnChunk, type ReachedPage } from './read-column-chunk.ts'
import { UnpackBudget } from './unpacked-bound.ts'

/** A Parquet file whose columns are read one by one. */
export type ParquetSource = {
  file: AsyncBuffer
  metadata: FileMetaData
  /** Those of hyparquet-compressors, unless others are given. */
  compressors?: Compressors
  /** What its pages may unpack to. */
  budget?: UnpackBudget
  /** Where earlier reads of this file have been. */
  reached?: Map<number, ReachedPage>
}

/**
 * Reads the values of one column in some rows, the last left out: texts, numbers, truth values and bytes,
 * or an `UnfitValue`; null or undefined where there is none. What is nested comes as hyparquet makes it.
 * @throws Error where it cannot be decoded
 */
export async function readParquetColumn(
  source: ParquetSource,
  column: ParquetColumn,
  rows: { from: number; to: number },
): Promise<unknown[]> {
  const values = Array<unknown>(rows.to - rows.from).fill(null)
  const put = (row: number, value: unknown) => {
    const at = row - rows.from
    if (at >= 0 && at < values.length) values[at] = exact(value)
  }
  await ('unfit' in column
    ? readNested(source, { name: column.name, rows, put })
    : readFlat(source, { column, rows, put }))
  return values
}

type Read = {
  rows: { from: number; to: number }
  put: (row: number, value: unknown) => void
}

async function readFlat(
  {
    file,
    metadata,
    compressors = anySize,
    budget = new UnpackBudget(Infinity),
    reached = new Map(),
  }: ParquetSource,
  { column, rows, put }: Read & { column: Exclude<ParquetColumn, { unfit: string }> },
): Promise<void> {
  const { name, chunk, element, convert } = column
  const format = { element, compressors, budget }
  const toAll = (stored: DecodedArray) => toValues(stored, element, convert)
  let start = 0
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows)
    if (end > rows.from && start < rows.to) {
      const wanted = {
        from: Math.max(rows.from, start) - start,
        to: Math.min(rows.to, end) - start,
      }
      const first = start
      await readColumnChunk(
        { file, name, chunk, format, convert: toAll, reached },
        { group, ...wanted },
        (row, value) => put(first + row, value),
      )
    }
    start = end
  }
}

async function readNested(
  { file, metadata, compressors = anySize, budget }: ParquetSource,
  { name, rows, put }: Read & { name: string },
): Promise<void> {
  await parquetRead({
    file,
    metadata,
    columns: [name],
    rowStart: rows.from,
    rowEnd: rows.to,
    compressors: budget === undefined ? compressors : bounded(compressors, budget),
    utf8: false,
    useOffsetIndex: true,
    onChunk: ({ columnData, rowStart }) => {
      for (let index = 0; index < columnData.length; index += 1) {
        put(rowStart + index, columnData[index])
      }
    },
  })
}

/** Decompresses pages as long as the budget has their bytes. */
function bounded(compressors: Compressors, budget: UnpackBudget): Compressors {
  const all = Object.entries(compressors).map(([codec, decompress]) => {
    const decompressBounded: typeof decompress = (input, outputLength) => {
      budget.take(outputLength)
      return decompress(input, outputLength)
    }
    return [codec, decompressBounded] as const
  })
  return Object.fromEntries(all)
}

/** Columns of doubles may hold whole numbers of any size, each of which is exactly what it says. */
function exact(value: unknown): unknown {
  const isLarge =
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isLarge ? String(value) : value
}
