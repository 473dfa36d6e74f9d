import { parentPort, workerData } from 'node:worker_threads'
import { yieldProcessor } from '../yield-processor.ts'
import { startRowWriter, type RowFormat, type RowsRequest } from './row-writer.ts'

// Writes rows apart from the event loop, and answers each request with the bytes that are known by then.

yieldProcessor()
const port = parentPort!
const answer = startRowWriter(workerData as RowFormat)

port.on('message', (request: RowsRequest) => {
  // What fails ends the thread.
  void reply(request)
})

async function reply(request: RowsRequest): Promise<void> {
  const bytes = await answer(request)
  port.postMessage(bytes, [bytes.buffer])
}
