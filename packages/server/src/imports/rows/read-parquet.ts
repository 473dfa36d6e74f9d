import { parquetMetadataAsync, parquetRead, type AsyncBuffer, type FileMetaData } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { limits } from '@vitrine/contract/limits'
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
import { scalarText } from './scalar-text.ts'

export type ReadBytes = (start: number, end: number) => Promise<ArrayBuffer>

export type ParquetFormat = {
  /** By the names of the columns that are read. */
  columns: readonly { name: string; column: Exclude<Column, { kind: 'ignored' }> }[]
  fieldCount: number
  fileBytes: number
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Stands for bytes that are no text. */
const noText = Symbol('not UTF-8')

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
    await parquetRead({
      file,
      metadata,
      columns: columns.map(({ name }) => name),
      rowStart: from,
      rowEnd: to,
      compressors,
      utf8: false,
      parsers: { stringFromBytes },
      onChunk: ({ columnName, columnData, rowStart }) => {
        const column = values.get(columnName) ?? Array<unknown>(to - from)
        values.set(columnName, column)
        for (let index = 0; index < columnData.length; index += 1) {
          const at = rowStart + index - from
          if (at >= 0 && at < to - from) column[at] = columnData[index]
        }
      },
    })
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

function stringFromBytes(bytes: Uint8Array): unknown {
  try {
    return bytes && utf8.decode(bytes)
  } catch {
    return noText
  }
}

function put(
  row: RawRow,
  column: ParquetFormat['columns'][number]['column'],
  name: string,
  value: unknown,
): void {
  if (value === null || value === undefined) return
  if (value === noText) {
    addProblem(row, () => ({ field: name, reason: 'must be valid UTF-8' }))
    return
  }
  const said: RawValue = (row.values[column.field] ??= {})
  if (column.kind === 'value') said.value = value
  else if (column.kind === 'lookup') said.lookup = { by: column.by, value: scalarText(value) ?? '' }
  else said[column.kind] = scalarText(value) ?? ''
}
