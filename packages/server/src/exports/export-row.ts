import type { Cell, ShownField } from '../store/item-rows.ts'
import type { SnapshotRow } from '../views/snapshot.ts'

/** One column of an export that is written by rows. */
export type ExportColumn = {
  name: string
  type: 'id' | 'moment' | 'string' | 'reference' | 'binary' | 'digest' | 'mime'
  of: (row: SnapshotRow) => Cell
}

/**
 * The columns of an export: the item's id and moment, its fields, and with `integrity` the digest of each
 * value and the media type of binaries. A binary value is its digest.
 */
export function exportColumns(
  fields: readonly ShownField[],
  { integrity }: { integrity: boolean },
): ExportColumn[] {
  const momentAt = fields.length + 1
  const columns: ExportColumn[] = [
    { name: 'id', type: 'id', of: (row) => row[0]! },
    { name: 'createdAt', type: 'moment', of: rememberMoments(momentAt) },
    ...fields.map(({ name, type }, index) => {
      return { name, type, of: (row: SnapshotRow) => row[index + 1]! }
    }),
  ]
  if (!integrity) return columns
  let sealAt = momentAt + 1
  for (const [index, { name, type }] of fields.entries()) {
    const at = sealAt
    const present = (row: SnapshotRow, cell: Cell) => (row[index + 1] === null ? null : cell)
    if (type === 'binary') {
      columns.push({ name: `${name}.sha256`, type: 'digest', of: (row) => row[index + 1]! })
      columns.push({ name: `${name}.mime`, type: 'mime', of: (row) => present(row, row[at]!) })
      sealAt += 2
    } else {
      columns.push({ name: `${name}.sha256`, type: 'digest', of: (row) => present(row, row[at]!) })
      sealAt += 1
    }
  }
  return columns
}

/** The moment of a row in ISO 8601; those that were imported together share one. */
function rememberMoments(at: number): ExportColumn['of'] {
  let last = Number.NaN
  let text = ''
  return (row) => {
    const moment = row[at] as number
    if (moment !== last) {
      last = moment
      text = new Date(moment).toISOString()
    }
    return text
  }
}
