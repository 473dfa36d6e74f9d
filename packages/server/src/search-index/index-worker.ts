import { type ColumnLists, parseRowLists, type RowLists } from '@vitrine/rows/write/row-lists'
import { serveSessions } from '../runtime/serve-sessions.ts'
import { yieldProcessor } from '../runtime/yield-processor.ts'
import { type IndexedColumn, SegmentFilter } from './segment-filter.ts'

// Makes the filters of a segment each session apart from the event loop.

export type IndexTasks = {
  /** Adds the cells of some items. */
  add: (items: { rows: RowLists | ColumnLists; columns: readonly IndexedColumn[] }) => void
  /** Returns the slices. */
  write: () => Uint8Array<ArrayBuffer>
}

yieldProcessor()
serveSessions<IndexTasks>(
  () => {
    const segment = new SegmentFilter()
    return {
      add: ({ rows, columns }) => {
        for (const cells of parseRowLists(rows)) segment.add(cells, columns)
      },
      write: () => segment.write(),
    }
  },
  { write: ({ buffer }) => [buffer] },
)
