import { serveSessions } from '../runtime/serve-sessions.ts'
import { yieldProcessor } from '../runtime/yield-processor.ts'
import { startRowWriter, type RowFormat, type RowsRequest } from './row-writer.ts'

// Writes rows apart from the event loop, of an export each session; a reply is the bytes that are known by then.

export type RowsTasks = {
  /** The first request of an export has the format. */
  write: (task: { request: RowsRequest; format?: RowFormat }) => Uint8Array<ArrayBuffer>
}

yieldProcessor()
serveSessions<RowsTasks>(
  () => {
    let write: ReturnType<typeof startRowWriter> | undefined
    return { write: ({ format, request }) => (write ??= startRowWriter(format!))(request) }
  },
  { write: ({ buffer }) => [buffer] },
)
