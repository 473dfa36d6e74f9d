import { setImmediate as turn } from 'node:timers/promises'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import type { Cell, ShownField } from '../store/item-rows.ts'

export type SnapshotOptions = {
  /** Whether each value's seal is read too. */
  seals: boolean
  /** The position from which on the items are to be read. */
  from: number
}

/** Rows as `snapshotColumns` reads them. */
export type SnapshotRow = readonly Cell[]

/** The items of a dataset as they were at one moment, in its order. */
export type Snapshot = {
  count: number
  fields: readonly ShownField[]
  /** From `from` to a position, which is left out, in windows that do not hold the event loop. */
  read: (to: number) => AsyncIterable<SnapshotRow[]>
}

/** One window may hold the event loop for about so many milliseconds. */
const windowMs = 5
/** Rows of a window at most: they are in memory together. */
const windowRows = 1000

/** Reads in windows that adapt to the size of the rows. */
export async function* readInWindows(
  { from, to }: { from: number; to: number },
  read: (window: { from: number; to: number }) => Promise<SnapshotRow[]>,
): AsyncGenerator<SnapshotRow[]> {
  const window = new AdaptiveWindow({ targetMs: windowMs, size: 64 })
  for (let at = from; at < to;) {
    const size = Math.min(window.size, windowRows, to - at)
    const began = performance.now()
    const rows = await read({ from: at, to: at + size })
    window.took(performance.now() - began, size)
    if (rows.length < size) throw new Error('what was being read is gone')
    yield rows
    at += size
    await turn()
  }
}
