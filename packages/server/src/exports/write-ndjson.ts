import type { SnapshotRow } from '../views/snapshot.ts'
import type { ExportColumn } from './export-row.ts'

/** Prepares to write rows as JSON, one object a line; absent values are left out. */
export function prepareNdjson(
  columns: readonly ExportColumn[],
): (rows: readonly SnapshotRow[]) => string {
  const keys = columns.map(
    ({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  )
  return (rows) => {
    let text = ''
    for (const row of rows) {
      for (let index = 0; index < columns.length; index += 1) {
        const cell = columns[index]!.of(row)
        if (cell === null) continue
        text += keys[index]
        text += typeof cell === 'number' ? cell : JSON.stringify(cell)
      }
      text += '}\n'
    }
    return text
  }
}
