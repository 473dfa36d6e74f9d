import { constants, zstdCompressSync } from 'node:zlib'
import { type RowLists, byRows } from '@vitrine/rows/write/row-lists'
import {
  type CompressZstd,
  type RowWriter,
  type WrittenColumn,
  type WrittenFormat,
  openRowWriter,
} from '@vitrine/rows/write/row-writer'
import type { SnapshotRows } from '../reading/snapshot.ts'
import { freeBytes } from '../runtime/gc.ts'

/** A file of rows that is written one window after the other. */
export type RowFormat = { columns: readonly WrittenColumn[] } & WrittenFormat

type Bytes = Uint8Array<ArrayBuffer>

/** Rows, of which the memory is handed over, or what comes before and after them all. */
export type RowsRequest = SnapshotRows | 'begin' | 'end'

/** Writes what is asked for one after the other, also where it is asked for before that. */
export function startRowWriter(format: RowFormat): (request: RowsRequest) => Promise<Bytes> {
  const opening = openRowWriter(
    format.kind === 'parquet' ? { ...format, compressZstd } : format,
    format.columns,
  )
  const answer = async (request: RowsRequest) => {
    const writer = await opening
    if (typeof request === 'string') return writer[request]()
    if (request.layout === 'rows') return write(writer, request)
    const rows = byRows(request)
    freeBytes(request.bytes)
    return write(writer, rows)
  }
  let last: Promise<unknown> = opening
  return (request) => {
    const answered = last.then(() => answer(request))
    last = answered
    return answered
  }
}

function write(writer: RowWriter, rows: RowLists): Bytes {
  const bytes = writer.write(rows)
  freeBytes(rows.bytes)
  return bytes
}

/** The level at which zstd takes less time than snappy in JavaScript, and makes smaller files. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

const compressZstd: CompressZstd = (bytes) => zstdCompressSync(bytes, { params })
