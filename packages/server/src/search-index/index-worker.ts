import { type ColumnLists, parseRowLists, type RowLists } from '@vitrine/rows/write/row-lists'
import { serveSessions } from '../runtime/serve-sessions.ts'
import { yieldProcessor } from '../runtime/yield-processor.ts'
import { SegmentFilter } from './segment-filter.ts'

// Makes the filters of a segment each session apart from the event loop.

export type IndexTasks = {
  /** Adds the texts of some items. */
  add: (rows: RowLists | ColumnLists) => void
  /** Returns the slices. */
  write: () => Uint8Array<ArrayBuffer>
}

yieldProcessor()
serveSessions<IndexTasks>(
  () => {
    const segment = new SegmentFilter()
    return {
      add: (rows) => {
        for (const texts of parseRowLists(rows)) segment.add(texts as (string | null)[])
      },
      write: () => segment.write(),
    }
  },
  { write: ({ buffer }) => [buffer] },
)
