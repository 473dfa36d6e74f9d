import { type FieldType, textOf } from '@vitrine/contract'
import type { WrittenColumn } from '@vitrine/rows/write/row-writer'
import type { ShownField } from '../store/item-rows.ts'
import { storedTypes } from '../values/stored-types.ts'
import type { ExportedType } from '../values/stored-type.ts'
import type { Snapshot, SnapshotColumn } from '../reading/snapshot.ts'

const moment = { kind: 'millisecond', croissant: 'sc:DateTime' } as const
const text = storedTypes.string.exported

/** One column of an export that is written by rows. */
export type ExportColumn = SnapshotColumn & {
  name: string
  /** Type of the field, or kind of a column beside it. */
  type: FieldType | 'id' | 'moment' | 'digest' | 'mime' | 'seal'
} & ExportedType

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
    { name: 'id', type: 'id', at: 0, presentAt: 0, ...storedTypes.integer.exported },
    { name: 'createdAt', type: 'moment', at: momentAt, presentAt: momentAt, ...moment },
    ...fields.map(({ name, type }, index) => {
      return { name, type, at: index + 1, presentAt: index + 1, ...storedTypes[type].exported }
    }),
  ]
  if (!integrity) return columns
  let sealAt = momentAt + 1
  for (const [index, { name, type }] of fields.entries()) {
    const presentAt = index + 1
    const isBinary = textOf({ type }) === undefined
    const digestAt = isBinary ? presentAt : sealAt
    columns.push({ name: `${name}.sha256`, type: 'digest', at: digestAt, presentAt, ...text })
    if (isBinary)
      columns.push({ name: `${name}.mime`, type: 'mime', at: sealAt, presentAt, ...text })
    if (type === 'reference') {
      columns.push({ name: `${name}.seal`, type: 'seal', at: presentAt, presentAt, ...text })
    }
    sealAt += isBinary ? 2 : 1
  }
  return columns
}

/** The columns as files have them. */
export function toWritten(columns: readonly ExportColumn[]): WrittenColumn[] {
  return columns.map(({ name, type, kind }) => {
    return { name, kind, isRequired: type === 'id' || type === 'moment' }
  })
}

/** Indexes of the cells of a binary in a row: its digest, its media type and its size. */
export type BinaryCells = { at: number; mimeAt: number; sizeAt: number }

/** Reads beside the columns by what files are named and listed. */
export function withFiles({ fields }: Pick<Snapshot, 'fields'>, columns: readonly ExportColumn[]) {
  const read: SnapshotColumn[] = [...columns]
  const indexOf = (at: number, presentAt: number): number => {
    const index = read.findIndex((column) => column.at === at && column.presentAt === presentAt)
    return index === -1 ? read.push({ at, presentAt }) - 1 : index
  }
  let sealAt = fields.length + 2
  const binaries = fields.flatMap(({ type }, index): BinaryCells[] => {
    const [at, mimeAt] = [index + 1, sealAt]
    const isBinary = textOf({ type }) === undefined
    sealAt += isBinary ? 2 : 1
    if (!isBinary) return []
    return [{ at: indexOf(at, at), mimeAt: indexOf(mimeAt, at), sizeAt: indexOf(mimeAt + 1, at) }]
  })
  return { read, binaries }
}
