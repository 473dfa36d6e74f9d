import type { ShownField } from '../store/item-rows.ts'
import type { SnapshotColumn } from '../reading/snapshot.ts'

/** One column of an export that is written by rows. */
export type ExportColumn = SnapshotColumn & {
  name: string
  type: 'id' | 'moment' | 'string' | 'reference' | 'binary' | 'digest' | 'mime' | 'seal'
}

/**
 * The columns of an export: the item's id and moment, its fields, and with `integrity` the digest of each
 * value, the media type of binaries and the seal of what references lead to. A binary value is its digest.
 * Seals are put in by `putSeals`; what is read for them is the reference.
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
    if (type === 'reference') {
      columns.push({ name: `${name}.seal`, type: 'seal', at: presentAt, presentAt })
    }
    sealAt += isBinary ? 2 : 1
  }
  return columns
}
