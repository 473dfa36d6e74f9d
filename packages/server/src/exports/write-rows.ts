import { Worker } from 'node:worker_threads'
import { freeChunks } from '../free-chunks.ts'
import type { SnapshotRows } from '../views/snapshot.ts'
import { startRowWriter, type RowFormat, type RowsRequest } from './row-writer.ts'

/** Fewer rows are written before a thread for them would have started, in any format. */
const fewRows = 1000
/** So many windows may wait to be written while what was written before is passed on. */
const windowsAhead = 2

type Bytes = Uint8Array<ArrayBuffer>

/** Writes windows of so many rows, one after the other; in a thread of its own where they are many. */
export async function* writeRows(
  format: RowFormat,
  { windows, count }: { windows: AsyncIterable<SnapshotRows>; count: number },
): AsyncGenerator<Bytes> {
  const { ask, close } = count > fewRows ? startApart(format) : startHere(format)
  const asked: Promise<Bytes>[] = []
  const askFor = (request: RowsRequest) => {
    const bytes = ask(request)
    // Nobody may be there for it when it fails: whoever reads what was written before may go.
    bytes.catch(() => {})
    asked.push(bytes)
  }
  try {
    // The first rows are read while the thread starts.
    askFor('begin')
    for await (const rows of windows) {
      askFor(rows)
      if (asked.length > windowsAhead) yield* passOn(await asked.shift()!)
    }
    askFor('end')
    for (const bytes of asked) yield* passOn(await bytes)
  } finally {
    await close()
  }
}

function* passOn(bytes: Bytes): Generator<Bytes> {
  if (bytes.length === 0) return
  yield bytes
  freeChunks(bytes.buffer.byteLength)
}

function startHere(format: RowFormat) {
  return { ask: startRowWriter(format), close: async () => {} }
}

function startApart(format: RowFormat) {
  const worker = new Worker(new URL('./rows-worker.ts', import.meta.url), {
    workerData: format,
    // Flags of the main thread, such as those of a test runner, are not for this one.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const waiting: PromiseWithResolvers<Bytes>[] = []
  worker.on('message', (bytes: Bytes) => waiting.shift()!.resolve(bytes))
  worker.on('error', (error) => {
    for (const { reject } of waiting) reject(error)
  })
  const ask = (request: RowsRequest): Promise<Bytes> => {
    const answer = Promise.withResolvers<Bytes>()
    waiting.push(answer)
    worker.postMessage(request, buffersOf(request))
    return answer.promise
  }
  return { ask, close: () => worker.terminate() }
}

/** The memory of rows, unless something else lies there too, as what PostgreSQL's driver gives may. */
function buffersOf(request: RowsRequest): ArrayBuffer[] {
  if (typeof request === 'string') return []
  const { buffer, length } = request.bytes
  return buffer.byteLength === length ? [buffer] : []
}
