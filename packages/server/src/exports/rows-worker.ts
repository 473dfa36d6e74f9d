import { serveSessions } from '../runtime/serve-sessions.ts'
import { yieldProcessor } from '../runtime/yield-processor.ts'
import { startRowWriter, type RowFormat, type RowsRequest } from './row-writer.ts'

// Writes rows apart from the event loop, of an export each session; a reply is the bytes that are known by then.

/** Request of an export; the first one has the format. */
export type RowsTask = { request: RowsRequest; format?: RowFormat }

yieldProcessor()
serveSessions(
  () => {
    let write: ReturnType<typeof startRowWriter> | undefined
    return ({ format, request }: RowsTask) => (write ??= startRowWriter(format!))(request)
  },
  ({ buffer }) => [buffer],
)
