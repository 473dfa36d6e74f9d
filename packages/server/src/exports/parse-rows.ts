import type { Cell } from '../store/item-rows.ts'
import type { SnapshotRows } from '../views/snapshot.ts'

/** The cells of some rows as values. */
export function parseRows(rows: SnapshotRows): Cell[][] {
  return JSON.parse(`[${Buffer.from(rows.buffer, rows.byteOffset, rows.length).toString()}]`)
}
