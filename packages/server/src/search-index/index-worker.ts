import { serveSessions } from '../runtime/serve-sessions.ts'
import { yieldProcessor } from '../runtime/yield-processor.ts'
import { SegmentFilter } from './segment-filter.ts'

// Makes the filters of a segment each session apart from the event loop.

export type IndexTask =
  /** The texts of some items: a list in JSON for each, with commas between, in UTF-8. */
  | { kind: 'add'; bytes: Uint8Array<ArrayBuffer> }
  /** Asks for the slices. */
  | { kind: 'write' }

yieldProcessor()
serveSessions(
  () => {
    const segment = new SegmentFilter()
    return (task: IndexTask): Uint8Array<ArrayBuffer> | undefined => {
      if (task.kind === 'write') return segment.write()
      const text = new TextDecoder().decode(task.bytes)
      for (const texts of JSON.parse(`[${text}]`) as (string | null)[][]) segment.add(texts)
      return undefined
    }
  },
  (slices) => (slices === undefined ? [] : [slices.buffer]),
)
