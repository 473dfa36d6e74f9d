import { availableParallelism } from 'node:os'
import type { SnapshotRows } from '../reading/snapshot.ts'
import { FairQueue } from '../runtime/fair-queue.ts'
import { freeBytes, freeChunks, ownBuffers } from '../runtime/gc.ts'
import { WorkerPool } from '../runtime/worker-pool.ts'
import { startRowWriter, type RowFormat, type RowsRequest } from './row-writer.ts'
import type { RowsTasks } from './rows-worker.ts'

/** Fewer rows and bytes are written before a thread for them would have started, in any format. */
const few = { rows: 1000, bytes: 1024 ** 2 }
/** Exports that have their rows read and written at once; the others wait for their turn. */
const workingMax = 4
/** Windows of an export that are written while what was written before is passed on. */
const windowsAhead = 2
/** Open exports up to which one reads ahead: more of them keep the threads busy by turns. */
const aheadOpenMax = 8

type Bytes = Uint8Array<ArrayBuffer>

/** Pool that all exports of the process share; one whose reader waits has no task, and keeps no thread from others. */
const pool = new WorkerPool<RowsTasks>(new URL('./rows-worker.ts', import.meta.url), {
  // More of them would only make room for fewer requests.
  size: Math.min(4, availableParallelism()),
  idleMs: 10_000,
  // The larger it may become, the more garbage it keeps.
  resourceLimits: { maxOldGenerationSizeMb: 256 },
})
const turns = new FairQueue(workingMax)
let exportsBegun = 0
let exportsOpen = 0

type Ask = (request: RowsRequest) => Promise<Bytes>

/**
 * Writes windows of so many rows, one after the other; apart from the event loop where they are many. Then
 * nothing is read or written until somebody asks for more bytes, beyond what is made ahead.
 */
export async function* writeRows(
  format: RowFormat,
  {
    windows,
    count,
    isStepwise = false,
  }: {
    windows: AsyncIterable<SnapshotRows>
    count: number
    /** Whether all bytes of a window are to be passed on before the next one is asked for. */
    isStepwise?: boolean
  },
): AsyncGenerator<Bytes> {
  const aheadMax = isStepwise ? 0 : windowsAhead
  const { isSmall, all } =
    count > few.rows ? { isSmall: false, all: windows } : await peek(windows, count)
  if (isSmall) return yield* write(startRowWriter(format), all, aheadMax)
  // Nothing is repeated where its thread exits: rows are transferred to it, and bytes passed on.
  const session = pool.openSession()
  exportsBegun += 1
  exportsOpen += 1
  const name = String(exportsBegun)
  const ask = (request: RowsRequest) =>
    request === 'begin'
      ? session.run('write', { request, format })
      : session.run('write', { request }, request === 'end' ? [] : ownBuffers(request.bytes))
  const output = write(ask, all, aheadMax)
  try {
    for (;;) {
      // A turn goes on until bytes come out, so that no group of Parquet stays half made.
      const { done, value } = await turns.run(name, () => output.next())
      if (done === true) return
      yield value
    }
  } finally {
    exportsOpen -= 1
    await output.return(undefined).finally(() => session.close())
  }
}

/** Reads the first of windows of few rows, and tells by it whether they have few bytes, too. */
async function peek(
  windows: AsyncIterable<SnapshotRows>,
  count: number,
): Promise<{ isSmall: boolean; all: AsyncIterable<SnapshotRows> }> {
  const rest = windows[Symbol.asyncIterator]()
  const first = await rest.next()
  const each = async function* () {
    try {
      for (let next = first; next.done !== true; next = await rest.next()) yield next.value
    } finally {
      await rest.return?.()
    }
  }
  const isSmall =
    first.done === true || (first.value.bytes.length / first.value.count) * count <= few.bytes
  return { isSmall, all: each() }
}

async function* write(
  ask: Ask,
  windows: AsyncIterable<SnapshotRows>,
  aheadMax: number,
): AsyncGenerator<Bytes> {
  const pending: Promise<Bytes>[] = []
  const askFor = (request: RowsRequest) => {
    const bytes = ask(request)
    // Nobody may be there for it when it fails: whoever reads what was written before may go.
    bytes.catch(() => {})
    pending.push(bytes)
  }
  try {
    // The first rows are read while the thread starts.
    askFor('begin')
    for await (const rows of windows) {
      askFor(rows)
      const ahead = exportsOpen > aheadOpenMax ? 0 : aheadMax
      while (pending.length > ahead) yield* passOn(await pending.shift()!)
    }
    askFor('end')
    while (pending.length > 0) yield* passOn(await pending.shift()!)
  } finally {
    for (const bytes of pending) void bytes.then(freeBytes, () => {})
  }
}

function* passOn(bytes: Bytes): Generator<Bytes> {
  if (bytes.length === 0) return
  yield bytes
  freeChunks(bytes.buffer.byteLength)
}
