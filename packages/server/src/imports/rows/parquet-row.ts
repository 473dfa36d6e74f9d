// Runs in a checking thread.

import { zstdDecompressSync } from 'node:zlib'
import type { SchemaField } from '@vitrine/contract'
import { limits } from '@vitrine/contract/limits'
import { textOf } from '@vitrine/contract/values/index'
import { type ParquetBytes, ParquetFile } from '@vitrine/rows/parquet/parquet-file'
import type { ParquetColumn } from '@vitrine/rows/parquet/parquet-columns'
import { UnreadableFile } from '@vitrine/rows/row-batch'
import { sayTooLong } from '@vitrine/rows/row-block'
import { scalarText } from '@vitrine/rows/scalar-text'
import { InvalidValue } from '@vitrine/rows/invalid-value'
import {
  type ParsedBlock,
  type RawRow,
  type RawValue,
  type RowRange,
  type VisitRow,
  addProblem,
} from './raw-row.ts'
import type { FieldColumn, ItemColumn } from './column.ts'

export type ReadBytes = ParquetBytes['slice']

export type ParquetFormat = {
  /** Columns that are read, by their places in the file. */
  columns: readonly { at: number; column: FieldColumn | ItemColumn }[]
  schema: readonly SchemaField[]
  fileBytes: number
}

/**
 * Bytes of the rows of a block, unless one row has more. Computed from the sizes that the file declares, which are too
 * small where rows share the entries of a dictionary, or where it lies.
 */
const blockBytes = 4 * 1024 ** 2

/** Reads rows of a Parquet file. A group of rows is decoded as a whole, and kept for its other rows. */
export function prepareParquet(
  { columns, schema, fileBytes }: ParquetFormat,
  read: ReadBytes,
): (range: RowRange, visit: VisitRow) => Promise<ParsedBlock> {
  let opened: ParquetFile | undefined
  let window: { from: number; values: unknown[][] } | undefined

  const decode = async (group: RowRange['group']) => {
    opened ??= await ParquetFile.open({ byteLength: fileBytes, slice: read })
    const wanted = columns.map(({ at }) => opened!.columns[at]!)
    return { from: group.from, values: await opened.read(wanted, group, unzstd) }
  }

  return async ({ group, from, to }, visit) => {
    try {
      if (window?.from !== group.from) {
        // One group is in memory at a time.
        window = undefined
        window = await decode(group)
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      return { lines: 0, unreadable: { line: null, reason: error.reason } }
    }
    let unpackedBytes = 0
    for (let at = from - group.from; at < to - group.from; at += 1) {
      if (unpackedBytes >= blockBytes) {
        return { lines: 0, unpackedBytes, rest: { group, from: group.from + at, to } }
      }
      const row: RawRow = { line: null, values: Array(schema.length), problems: [] }
      for (let index = 0; index < columns.length; index += 1) {
        const { at: place, column } = columns[index]!
        const value = window.values[index]![at]
        if (column.kind === 'item') {
          ;(row.item ??= {})[column.about] = value
          continue
        }
        const isText = value instanceof Uint8Array && textOf(schema[column.field]!) !== undefined
        put(row, column, isText ? decodeBytes(value) : value, opened!.columns[place]!)
      }
      const bytes = rowBytes(row)
      unpackedBytes += bytes
      if (bytes > limits.rowBytes) addProblem(row, () => ({ field: null, reason: sayTooLong() }))
      visit(row)
    }
    return { lines: 0, unpackedBytes }
  }
}

/** The package's would make memory at once for the size that a frame of zstd claims. */
function unzstd(input: Uint8Array, outputLength: number): Uint8Array {
  // A page without values; Node takes no limit of 0.
  if (outputLength === 0) return new Uint8Array()
  return zstdDecompressSync(input, { maxOutputLength: outputLength })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as the text that they are in UTF-8: Polars writes columns of JSON so. */
function decodeBytes(bytes: Uint8Array): unknown {
  try {
    return utf8.decode(bytes)
  } catch {
    return new InvalidValue('must be valid UTF-8')
  }
}

function put(row: RawRow, column: FieldColumn, value: unknown, { name }: ParquetColumn): void {
  if (value === null || value === undefined) return
  if (value instanceof InvalidValue) {
    const { reason } = value
    addProblem(row, () => ({ field: name, reason }))
    return
  }
  const raw: RawValue = (row.values[column.field] ??= {})
  if (column.kind === 'value') {
    raw.value = value
    if (isNested(value)) raw.isJson = true
  } else if (column.kind === 'lookup')
    raw.lookup = { by: column.by, value: scalarText(value) ?? '' }
  else raw[column.kind] = scalarText(value) ?? ''
}

/** Whether a value is a list, a struct or a map. */
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

/** The bytes of the texts, of the JSON and of the bytes of a row. */
function rowBytes({ values }: RawRow): number {
  let bytes = 0
  for (const raw of values) {
    const value = raw?.value
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (value instanceof Uint8Array) bytes += value.length
    else if (isNested(value)) bytes += Buffer.byteLength(JSON.stringify(value))
  }
  return bytes
}
