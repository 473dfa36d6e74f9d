import { parquetMetadataAsync, type AsyncBuffer, type FileMetaData } from 'hyparquet'
import { limits } from '@vitrine/contract/limits'
import { parquetColumns } from '@vitrine/rows/parquet-columns'
import { readParquetColumn } from '@vitrine/rows/read-parquet-column'
import { scalarText } from '@vitrine/rows/scalar-text'
import { UnfitValue } from '@vitrine/rows/unfit-value'
import type { Column } from './column.ts'
import type { RowRange } from './cut-blocks.ts'
import {
  addProblem,
  type ParsedBlock,
  type RawRow,
  type RawValue,
  type VisitRow,
} from './raw-row.ts'
import { rowBytes, tooLong } from './row-bytes.ts'

export type ReadBytes = (start: number, end: number) => Promise<ArrayBuffer>

export type ParquetFormat = {
  /** By the names of the columns that are read. */
  columns: readonly { name: string; column: Exclude<Column, { kind: 'ignored' }> }[]
  fieldCount: number
  fileBytes: number
}

/** Reads rows of a Parquet file. A group of rows is decoded as a whole, and kept for its other rows. */
export function prepareParquet(
  { columns, fieldCount, fileBytes }: ParquetFormat,
  read: ReadBytes,
): (range: RowRange, visit: VisitRow) => Promise<ParsedBlock> {
  const file: AsyncBuffer = {
    byteLength: fileBytes,
    slice: (start, end = fileBytes) => read(start, end),
  }
  let metadata: FileMetaData | undefined
  let kept: { from: number; values: Map<string, ArrayLike<unknown>> } | undefined

  const decode = async ({ from, to }: RowRange['group']) => {
    metadata ??= await parquetMetadataAsync(file)
    const values = new Map<string, unknown[]>()
    const wanted = new Set(columns.map(({ name }) => name))
    for (const column of parquetColumns(metadata)) {
      if (!wanted.has(column.name)) continue
      values.set(column.name, await readParquetColumn({ file, metadata }, column, { from, to }))
    }
    return { from, values }
  }

  return async ({ group, from, to }, visit) => {
    try {
      if (kept?.from !== group.from) {
        // One group is in memory at a time.
        kept = undefined
        kept = await decode(group)
      }
    } catch (error) {
      const reason = `cannot be decoded: ${error instanceof Error ? error.message : String(error)}`
      return { lines: 0, unreadable: { line: null, reason } }
    }
    for (let at = from - group.from; at < to - group.from; at += 1) {
      const row: RawRow = { line: null, values: Array(fieldCount), problems: [] }
      for (const { name, column } of columns) put(row, column, name, kept.values.get(name)?.[at])
      if (rowBytes(row) > limits.rowBytes) addProblem(row, () => ({ field: null, reason: tooLong }))
      visit(row)
    }
    return { lines: 0 }
  }
}

function put(
  row: RawRow,
  column: ParquetFormat['columns'][number]['column'],
  name: string,
  value: unknown,
): void {
  if (value === null || value === undefined) return
  if (value instanceof UnfitValue) {
    const { reason } = value
    addProblem(row, () => ({ field: name, reason }))
    return
  }
  const said: RawValue = (row.values[column.field] ??= {})
  if (column.kind === 'value') said.value = value
  else if (column.kind === 'lookup') said.lookup = { by: column.by, value: scalarText(value) ?? '' }
  else said[column.kind] = scalarText(value) ?? ''
}
