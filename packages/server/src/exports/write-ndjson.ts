import type { SnapshotRows } from '../views/snapshot.ts'
import type { ExportColumn } from './export-column.ts'
import { momentBytes, rememberMoments } from './moments.ts'
import { RowScanner } from './row-scanner.ts'
import type { RowWriter } from './row-writer.ts'
import { WrittenBytes } from './written-bytes.ts'

const rowEnd = Buffer.from('}\n')

/** Writes rows as JSON, one object a line; absent values are left out. */
export function openNdjson(columns: readonly ExportColumn[]): RowWriter {
  const keys = columns.map(({ name }, index) =>
    Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
  )
  const besideCells =
    keys.reduce((bytes, key) => bytes + key.length + momentBytes, 0) + rowEnd.length
  const momentOf = rememberMoments()
  /** Bytes for one byte of rows; names come to them. */
  let growth = 1.5
  const write = (rows: SnapshotRows): Uint8Array<ArrayBuffer> => {
    const row = new RowScanner(rows)
    const out = new WrittenBytes(Math.ceil(growth * rows.length))
    while (row.next()) {
      // Where one cell is shown twice, it is a digest.
      out.reserve(besideCells + 2 * row.length)
      for (let index = 0; index < columns.length; index += 1) {
        const { type, at, presentAt } = columns[index]!
        if (row.isNull(presentAt)) continue
        out.copy(keys[index]!)
        if (type === 'moment') out.copy(momentOf(row.numberAt(at)))
        else out.copy(row.bytes, row.starts[at], row.ends[at])
      }
      out.copy(rowEnd)
    }
    growth = Math.max(growth, (1.1 * out.written.length) / rows.length)
    return out.written
  }
  const nothing = () => Buffer.alloc(0)
  return { begin: nothing, write, end: nothing }
}
