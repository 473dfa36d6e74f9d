import type { Cell } from '../store/item-rows.ts'
import type { SnapshotRows } from '../reading/snapshot.ts'

/** The cells of some rows as values. */
export function parseRows({ bytes }: SnapshotRows): Cell[][] {
  return JSON.parse(`[${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()}]`)
}
