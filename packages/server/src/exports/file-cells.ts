import { textOf } from '@vitrine/contract'
import type { Snapshot, SnapshotColumn } from '../reading/snapshot.ts'
import type { ExportColumn } from './export-column.ts'

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
