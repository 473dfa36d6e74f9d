import type { Cell, ShownField } from '../store/item-rows.ts'

/** One column of an export that is written by rows. */
export type ExportColumn = {
  name: string
  type: 'id' | 'moment' | 'string' | 'reference' | 'binary' | 'digest' | 'mime'
  /** Which cell of a row it shows. */
  at: number
  /** Only where this cell is not missing. */
  presentAt: number
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
    { name: 'id', type: 'id', at: 0, presentAt: 0 },
    { name: 'createdAt', type: 'moment', at: momentAt, presentAt: momentAt },
    ...fields.map(({ name, type }, index) => {
      return { name, type, at: index + 1, presentAt: index + 1 }
    }),
  ]
  if (!integrity) return columns
  let sealAt = momentAt + 1
  for (const [index, { name, type }] of fields.entries()) {
    const presentAt = index + 1
    const isBinary = type === 'binary'
    const digestAt = isBinary ? presentAt : sealAt
    columns.push({ name: `${name}.sha256`, type: 'digest', at: digestAt, presentAt })
    if (isBinary) columns.push({ name: `${name}.mime`, type: 'mime', at: sealAt, presentAt })
    sealAt += isBinary ? 2 : 1
  }
  return columns
}

export function cellOf(row: readonly Cell[], { at, presentAt }: ExportColumn): Cell {
  return row[presentAt] === null ? null : row[at]!
}
