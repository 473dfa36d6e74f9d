import { serveSessions } from '../runtime/serve-sessions.ts'
import { yieldProcessor } from '../runtime/yield-processor.ts'
import { SegmentFilter } from './segment-filter.ts'

// Makes the filters of a segment each session apart from the event loop.

export type IndexTasks = {
  /** The texts of some items: a list in JSON for each, with commas between, in UTF-8. */
  add: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Returns the slices. */
  write: () => Uint8Array<ArrayBuffer>
}

yieldProcessor()
serveSessions<IndexTasks>(
  () => {
    const segment = new SegmentFilter()
    return {
      add: (bytes) => {
        const text = new TextDecoder().decode(bytes)
        for (const texts of JSON.parse(`[${text}]`) as (string | null)[][]) segment.add(texts)
      },
      write: () => segment.write(),
    }
  },
  { write: ({ buffer }) => [buffer] },
)
