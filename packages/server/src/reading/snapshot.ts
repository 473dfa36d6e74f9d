import type { JoinedLists } from '../store/expressions.ts'
import { freeBytes } from '../runtime/gc.ts'
import type { ShownField } from '../store/item-rows.ts'

/** Which of an item's `snapshotCells` a column shows; it is empty where the one at `presentAt` is missing. */
export type SnapshotColumn = { at: number; presentAt: number }

/**
 * Some rows with a cell for each column: a list in JSON for each row, with commas between, in UTF-8. No
 * object is made of a row where its bytes are only handed on.
 */
export type SnapshotRows = { count: number; bytes: Uint8Array<ArrayBuffer> }

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

/** How many rows a window had, and these. */
type Window = readonly [count: number, rows: JoinedLists]

/** Reads in windows; the next one, sized by the rows of the one before, is read while one is used. */
export async function* readInWindows(
  { from, to }: { from: number; to: number },
  read: (window: { from: number; to: number }) => Promise<Window>,
): AsyncGenerator<SnapshotRows> {
  let at = from
  let fitting = firstRows
  const readNext = async () => {
    const size = Math.min(fitting, windowMax.rows, to - at)
    const [count, lists] = await read({ from: at, to: at + size })
    if (count < size || lists === null) throw new Error('what was being read is gone')
    const bytes = typeof lists === 'string' ? Buffer.from(lists) : lists
    fitting = Math.ceil((size * windowMax.bytes) / bytes.length)
    at += size
    return { count, bytes }
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
