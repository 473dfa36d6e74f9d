import { freeChunks } from '../free-chunks.ts'
import type { SnapshotRows } from '../reading/snapshot.ts'
import { startInThread } from './row-threads.ts'
import { startRowWriter, type RowFormat, type RowsRequest } from './row-writer.ts'

/** Fewer rows are written before a thread for them would have started, in any format. */
const fewRows = 1000
/** So many windows may wait to be written while what was written before is passed on. */
const windowsAhead = 2

type Bytes = Uint8Array<ArrayBuffer>

/** Writes windows of so many rows, one after the other; apart from the event loop where they are many. */
export async function* writeRows(
  format: RowFormat,
  { windows, count }: { windows: AsyncIterable<SnapshotRows>; count: number },
): AsyncGenerator<Bytes> {
  const { ask, close } = count > fewRows ? startInThread(format) : startHere(format)
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
