import type { AsyncBuffer, Compressors, DecodedArray, FileMetaData, RowGroup } from 'hyparquet'
import { compressors as anySize } from 'hyparquet-compressors'
import { type ParquetColumn, toValues } from './parquet-columns.ts'
import { type LeafValues, assembleRows, leavesOf } from './nested-column.ts'
import { readNestedChunk } from './read-nested-chunk.ts'
import { type ReachedPage, readColumnChunk } from './read-column-chunk.ts'
import { UnpackBudget } from '../unpacked-bound.ts'

/** A column whose values are read. */
export type ReadColumn = Exclude<ParquetColumn, { unfit: string }>

/** A Parquet file whose columns are read one by one. */
export type ParquetSource = {
  file: AsyncBuffer
  metadata: FileMetaData
  /** Those of hyparquet-compressors, unless others are given. */
  compressors?: Compressors
  /** Budget of bytes that its pages may unpack to. */
  budget?: UnpackBudget
  /** Pages that earlier reads of this file have reached. */
  reached?: Map<number, ReachedPage>
}

/**
 * Reads the values of one column in some rows, the last left out: texts, numbers, truth values and bytes,
 * JSON of what is nested, or an `InvalidValue`; null or undefined where there is none.
 * @throws Error where it cannot be decoded
 */
export async function readParquetColumn(
  source: ParquetSource,
  column: ReadColumn,
  rows: { from: number; to: number },
): Promise<unknown[]> {
  const values = Array<unknown>(rows.to - rows.from).fill(null)
  const put = (row: number, value: unknown) => {
    const at = row - rows.from
    if (at >= 0 && at < values.length) values[at] = exact(value)
  }
  await ('nested' in column
    ? readNested(source, { column, rows, put })
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
  { column, rows, put }: Read & { column: Extract<ParquetColumn, { convert: unknown }> },
): Promise<void> {
  const { name, chunk, element, convert } = column
  const format = { element, compressors, budget }
  const toAll = (stored: DecodedArray) => toValues(stored, element, convert)
  for (const { group, start, from, to } of groupsOf(metadata, rows)) {
    await readColumnChunk(
      { file, name, chunk, format, convert: toAll, reached },
      { group, from, to },
      (row, value) => put(start + row, value),
    )
  }
}

async function readNested(
  {
    file,
    metadata,
    compressors = anySize,
    budget = new UnpackBudget(Infinity),
    reached = new Map(),
  }: ParquetSource,
  { column, rows, put }: Read & { column: Extract<ParquetColumn, { nested: unknown }> },
): Promise<void> {
  const { name, chunk, nested } = column
  for (const { group, start, from, to } of groupsOf(metadata, rows)) {
    const leaves: LeafValues[] = []
    for (const [index, node] of leavesOf(nested).entries()) {
      const { element, repetition, definition } = node
      const format = { element, compressors, budget, repetition, definition }
      const convert = (stored: DecodedArray) => toValues(stored, element, node.convert)
      const leaf = { file, name, chunk: chunk + index, format, convert, reached }
      leaves.push(await readNestedChunk(leaf, { group, from, to }))
    }
    const values = assembleRows(nested, leaves)
    if (values.length !== to - from) throw new Error(`${name} has not as many rows as its group`)
    for (const [index, value] of values.entries()) put(start + from + index, value)
  }
}

/** The groups that have some of the rows, with the first row of each, and which of its own rows these are. */
function* groupsOf(
  { row_groups: groups }: FileMetaData,
  rows: Read['rows'],
): Generator<{ group: RowGroup; start: number; from: number; to: number }> {
  let start = 0
  for (const group of groups) {
    const end = start + Number(group.num_rows)
    const from = Math.max(rows.from, start) - start
    const to = Math.min(rows.to, end) - start
    if (from < to) yield { group, start, from, to }
    start = end
  }
}

/** Columns of doubles may hold whole numbers of any size, each of which is exactly what it says. */
function exact(value: unknown): unknown {
  const isLarge =
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isLarge ? String(value) : value
}
