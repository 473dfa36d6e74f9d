import { serveRequests } from '../runtime/serve-requests.ts'
import { SegmentFilter } from './segment-filter.ts'

// Makes the filters of one segment after the other apart from the event loop.

export type IndexRequest =
  | { kind: 'begin' }
  /** The texts of some items: a list in JSON for each, with commas between, in UTF-8. */
  | { kind: 'add'; bytes: Uint8Array<ArrayBuffer> }
  /** Asks for the slices. */
  | { kind: 'write' }

let segment = new SegmentFilter()

serveRequests(
  (request: IndexRequest): Uint8Array<ArrayBuffer> | undefined => {
    switch (request.kind) {
      case 'begin':
        segment = new SegmentFilter()
        return undefined
      case 'add': {
        const rows = JSON.parse(`[${new TextDecoder().decode(request.bytes)}]`) as (
          string | null
        )[][]
        for (const texts of rows) segment.add(texts)
        return undefined
      }
      case 'write':
        return segment.write()
    }
  },
  (slices) => (slices === undefined ? [] : [slices.buffer]),
)
