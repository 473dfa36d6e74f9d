import type { ColumnLists, RowLists } from '@vitrine/rows/write/row-lists'
import type { JoinedCells } from '../store/expressions.ts'
import { freeBytes } from '../runtime/gc.ts'
import type { ShownField } from '../store/item-rows.ts'

/** Index of the `snapshotCells` that a column shows; it is empty where the cell at `presentAt` is missing. */
export type SnapshotColumn = { at: number; presentAt: number }

/** Some rows with a cell for each column. */
export type SnapshotRows = RowLists | ColumnLists

/** The items of a dataset as they were at one moment, in its order. */
export type Snapshot = {
  count: number
  fields: readonly ShownField[]
  /**
   * From the position for which it was made to another one, which is left out; whoever reads may free what
   * it has read.
   */
  read: (to: number, columns: readonly SnapshotColumn[]) => AsyncIterable<SnapshotRows>
}

/** A snapshot with the state that it is of: how many items the repository had. */
export type StateSnapshot = Snapshot & { at: number }

/** Rows of the first window, which tells how large they are. */
const firstRows = 64
/** Limits of one window; several are in memory at once. */
const windowMax = { rows: 4000, bytes: 192 * 1024 }
/** Bytes of text in several rows that are read at once, where they follow on smaller ones. */
const textBytesMax = 1024 ** 2
/** A window with more is read with so many times fewer rows. */
const shrinking = 8

/** Rows to read, and how many bytes of text they may have; with more of them none are read. */
export type WindowRange = { from: number; to: number; bytesMax: number }

/** How many rows a window had, and these. */
type Window = readonly [count: number, rows: JoinedCells]

/** Reads in windows; the next one, sized by the rows of the one before, is read while one is used. */
export async function* readInWindows(
  { from, to }: { from: number; to: number },
  read: (window: WindowRange) => Promise<Window>,
): AsyncGenerator<SnapshotRows> {
  let at = from
  let fitting = firstRows
  const readNext = async () => {
    let size = Math.min(fitting, windowMax.rows, to - at)
    const readSome = () =>
      read({
        from: at,
        to: at + size,
        bytesMax: size === 1 ? Number.MAX_SAFE_INTEGER : textBytesMax,
      })
    let [count, lists] = await readSome()
    while (count === 0 && size > 1) {
      size = Math.ceil(size / shrinking)
      ;[count, lists] = await readSome()
    }
    if (count < size || lists === null) throw new Error('what was being read is gone')
    const rows: SnapshotRows =
      typeof lists === 'string'
        ? { layout: 'columns', count, bytes: Buffer.from(lists) }
        : { layout: 'rows', count, bytes: lists }
    fitting = Math.ceil((size * windowMax.bytes) / rows.bytes.length)
    at += size
    return rows
  }
  let next = at < to ? readNext() : undefined
  try {
    while (next !== undefined) {
      const rows = await next
      next = at < to ? readNext() : undefined
      // It may never be asked for.
      next?.catch(() => {})
      yield rows
    }
  } finally {
    void next?.then(({ bytes }) => freeBytes(bytes)).catch(() => {})
  }
}
