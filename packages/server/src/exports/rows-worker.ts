import { parentPort } from 'node:worker_threads'
import { yieldProcessor } from '../runtime/yield-processor.ts'
import { startRowWriter, type RowFormat, type RowsRequest } from './row-writer.ts'

// Writes rows apart from the event loop, of several exports, each by its number; answers each request with the
// bytes that are known by then.

export type RowsTask =
  | { kind: 'open'; number: number; format: RowFormat }
  | { kind: 'ask'; number: number; request: RowsRequest }
  | { kind: 'close'; number: number }

export type RowsReply = { number: number; bytes?: Uint8Array<ArrayBuffer>; error?: unknown }

yieldProcessor()
const port = parentPort!
const writers = new Map<number, ReturnType<typeof startRowWriter>>()

port.on('message', (task: RowsTask) => {
  if (task.kind === 'open') writers.set(task.number, startRowWriter(task.format))
  else if (task.kind === 'close') writers.delete(task.number)
  else void reply(task.number, task.request)
})

async function reply(number: number, request: RowsRequest): Promise<void> {
  try {
    const bytes = await writers.get(number)!(request)
    port.postMessage({ number, bytes } satisfies RowsReply, [bytes.buffer])
  } catch (error) {
    port.postMessage({ number, error } satisfies RowsReply)
  }
}
