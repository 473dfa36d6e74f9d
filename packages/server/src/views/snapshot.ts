import { AdaptiveWindow } from '../store/adaptive-window.ts'
import type { JoinedLists } from '../store/expressions.ts'
import type { ShownField } from '../store/item-rows.ts'

export type SnapshotOptions = {
  /** Whether each value's seal is read too. */
  seals: boolean
  /** The position from which on the items are to be read. */
  from: number
}

/**
 * Some rows with the cells of `snapshotCells`: a list in JSON for each, with commas between, in UTF-8. No
 * object is made of a row where its bytes are only handed on.
 */
export type SnapshotRows = Uint8Array<ArrayBuffer>

/** The items of a dataset as they were at one moment, in its order. */
export type Snapshot = {
  count: number
  fields: readonly ShownField[]
  /** From `from` to a position, which is left out; whoever reads may free what it has read. */
  read: (to: number) => AsyncIterable<SnapshotRows>
}

/** One window takes about so many milliseconds to read, for others to be read between. */
const windowMs = 5
/** Rows of a window at most: they are in memory together. */
const windowRows = 4000

/** How many rows a window had, and these. */
type Window = readonly [count: number, rows: JoinedLists]

/** Reads in windows that adapt to the size of the rows; the next one is read while one is used. */
export async function* readInWindows(
  { from, to }: { from: number; to: number },
  read: (window: { from: number; to: number }) => Promise<Window>,
): AsyncGenerator<SnapshotRows> {
  const window = new AdaptiveWindow({ targetMs: windowMs, size: 64 })
  let at = from
  const readNext = async () => {
    const size = Math.min(window.size, windowRows, to - at)
    const began = performance.now()
    const [count, rows] = await read({ from: at, to: at + size })
    window.took(performance.now() - began, size)
    if (count < size || rows === null) throw new Error('what was being read is gone')
    at += size
    return typeof rows === 'string' ? Buffer.from(rows) : rows
  }
  for (let next = at < to ? readNext() : undefined; next !== undefined;) {
    const rows = await next
    next = at < to ? readNext() : undefined
    // It may never be asked for.
    next?.catch(() => {})
    yield rows
  }
}
