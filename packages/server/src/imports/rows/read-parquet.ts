import { zstdDecompressSync } from 'node:zlib'
import {
  parquetMetadataAsync,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
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
import { unpackedMax, unpacksTooFar } from '../../../../rows/src/unpacked-bound.ts'

export type ReadBytes = (start: number, end: number) => Promise<ArrayBuffer>

export type ParquetFormat = {
  /** By the names of the columns that are read. */
  columns: readonly { name: string; column: Exclude<Column, { kind: 'ignored' }> }[]
  fieldCount: number
  fileBytes: number
}

/**
 * What rows of a block have at most in bytes, unless one row has more. The file says how large its columns are,
 * which is less than this where rows share the entries of a dictionary, or where it lies.
 */
const blockBytes = 4 * 1024 ** 2

/** What the pages of rows that are decoded together may have in bytes. */
const decodedMax = 512 * 1024 ** 2

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
    const compressors = boundedCompressors(Math.min(decodedMax, unpackedMax(fileBytes)))
    for (const column of parquetColumns(metadata)) {
      if (!wanted.has(column.name)) continue
      values.set(
        column.name,
        await readParquetColumn({ file, metadata, compressors }, column, { from, to }),
      )
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
    let unpackedBytes = 0
    for (let at = from - group.from; at < to - group.from; at += 1) {
      if (unpackedBytes >= blockBytes) {
        return { lines: 0, unpackedBytes, rest: { group, from: group.from + at, to } }
      }
      const row: RawRow = { line: null, values: Array(fieldCount), problems: [] }
      for (const { name, column } of columns) put(row, column, name, kept.values.get(name)?.[at])
      const bytes = rowBytes(row)
      unpackedBytes += bytes
      if (bytes > limits.rowBytes) addProblem(row, () => ({ field: null, reason: tooLong }))
      visit(row)
    }
    return { lines: 0, unpackedBytes }
  }
}

/** Decompresses pages as long as all of them together have no more bytes than that. */
function boundedCompressors(bytesMax: number): Compressors {
  let left = bytesMax
  const bounded = Object.entries(all).map(([codec, decompress]) => {
    const decompressBounded: typeof decompress = (input, outputLength) => {
      left -= outputLength
      if (left < 0) throw new Error(unpacksTooFar)
      return decompress(input, outputLength)
    }
    return [codec, decompressBounded] as const
  })
  return Object.fromEntries(bounded)
}

/** Of what a frame of zstd says of its own size, the package's would make memory at once. */
const all: Compressors = {
  ...compressors,
  ZSTD: (input, outputLength) => zstdDecompressSync(input, { maxOutputLength: outputLength }),
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
