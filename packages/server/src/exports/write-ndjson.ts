import type { SnapshotRows } from '../reading/snapshot.ts'
import { CellCopier } from '../../../rows/src/cell-copier.ts'
import type { ExportColumn } from './export-column.ts'
import { momentBytes, rememberMoments } from './moments.ts'
import type { RowWriter } from './row-writer.ts'

const quote = Buffer.from('"')
const rowEnd = Buffer.from('}\n')

/** Writes rows as JSON, one object a line; absent values are left out. */
export function openNdjson(columns: readonly ExportColumn[]): RowWriter {
  const keys = columns.map(({ name }, index) =>
    Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
  )
  /** Of one row. */
  const besideCells = keys.reduce((bytes, key) => bytes + key.length, momentBytes + rowEnd.length)
  const momentOf = rememberMoments()
  const write = (rows: SnapshotRows): Uint8Array<ArrayBuffer> => {
    const copier = new CellCopier(rows, rows.count * besideCells)
    for (let row = 0; row < rows.count; row += 1) {
      for (let index = 0; index < columns.length; index += 1) {
        if (copier.skipNull()) continue
        copier.put(keys[index]!)
        const { type } = columns[index]!
        if (type === 'id' || type === 'reference') {
          copier.copyNumber()
        } else if (type === 'moment') {
          copier.put(quote)
          copier.put(momentOf(copier.takeNumber()))
          copier.put(quote)
        } else {
          copier.copyText()
        }
      }
      copier.put(rowEnd)
      copier.endRow()
    }
    return copier.copied
  }
  const nothing = () => Buffer.alloc(0)
  return { begin: nothing, write, end: nothing }
}
