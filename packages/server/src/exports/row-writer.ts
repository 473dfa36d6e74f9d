import type { DelimitedOptions } from '../../../rows/src/delimited-record.ts'
import { freeBytes } from '../free-bytes.ts'
import type { SnapshotRows } from '../reading/snapshot.ts'
import type { ExportColumn } from './export-column.ts'

/** A format of which rows are written one window after the other. */
export type RowFormat = { columns: readonly ExportColumn[] } & (
  { kind: 'ndjson' | 'parquet' } | ({ kind: 'delimited' } & DelimitedOptions)
)

type Bytes = Uint8Array<ArrayBuffer>

export type RowWriter = {
  /** The bytes before those of the first row. All that is given lies in memory of its own. */
  begin: () => Bytes
  /** The bytes of the file that are known with these rows. */
  write: (rows: SnapshotRows) => Bytes | Promise<Bytes>
  /** The bytes that end the file. */
  end: () => Bytes | Promise<Bytes>
}

/** Rows, of which the memory is handed over, or what comes before and after them all. */
export type RowsRequest = SnapshotRows | 'begin' | 'end'

/** Writes what is asked for one after the other, also where it is asked for before that. */
export function startRowWriter(format: RowFormat): (request: RowsRequest) => Promise<Bytes> {
  const opening = openRowWriter(format)
  const answer = async (request: RowsRequest) => {
    const writer = await opening
    if (typeof request === 'string') return writer[request]()
    const bytes = await writer.write(request)
    freeBytes(request.bytes)
    return bytes
  }
  let last: Promise<unknown> = opening
  return (request) => {
    const answered = last.then(() => answer(request))
    last = answered
    return answered
  }
}

/** Each format brings what it needs only where it is written. */
async function openRowWriter(format: RowFormat): Promise<RowWriter> {
  switch (format.kind) {
    case 'ndjson':
      return (await import('./write-ndjson.ts')).openNdjson(format.columns)
    case 'delimited':
      return (await import('./write-delimited.ts')).openDelimited(format.columns, format)
    case 'parquet':
      return new (await import('./write-parquet.ts')).ParquetRows(format.columns)
  }
}
