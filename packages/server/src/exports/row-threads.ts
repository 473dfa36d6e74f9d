import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { RowFormat, RowsRequest } from './row-writer.ts'
import type { RowsReply, RowsTask } from './rows-worker.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** More of them would only make room for fewer requests. */
const threadsMax = Math.min(4, availableParallelism())
/** How long a thread stays that no export uses. */
const idleMs = 10_000

type Thread = {
  worker: Worker
  /** By the number of an export, what it has asked for and not been given. */
  exports: Map<number, PromiseWithResolvers<Bytes>[]>
  idle?: NodeJS.Timeout | undefined
}

const threads: Thread[] = []
let exportsBegun = 0

/**
 * Begins to write rows in one of the few threads that all exports of the process share. What an export asks for
 * is written in its turn; one whose reader waits asks for nothing, and keeps no thread from the others.
 */
export function startInThread(format: RowFormat) {
  const thread = takeThread()
  const { worker, exports } = thread
  exportsBegun += 1
  const number = exportsBegun
  const waiting: PromiseWithResolvers<Bytes>[] = []
  exports.set(number, waiting)
  post(worker, { kind: 'open', number, format })
  const ask = (request: RowsRequest): Promise<Bytes> => {
    const answer = Promise.withResolvers<Bytes>()
    waiting.push(answer)
    post(worker, { kind: 'ask', number, request }, buffersOf(request))
    return answer.promise
  }
  const close = () => {
    if (!exports.delete(number)) return
    post(worker, { kind: 'close', number })
    if (exports.size > 0) return
    worker.unref()
    thread.idle = setTimeout(() => void worker.terminate(), idleMs).unref()
  }
  return { ask, close }
}

function post(worker: Worker, task: RowsTask, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(task, transfer)
}

/** The thread of the fewest exports, or another one as long as there may be more. */
function takeThread(): Thread {
  const [least] = threads.toSorted((a, b) => a.exports.size - b.exports.size)
  const isFree = least?.exports.size === 0
  const thread = least !== undefined && (isFree || threads.length >= threadsMax) ? least : open()
  clearTimeout(thread.idle)
  thread.worker.ref()
  return thread
}

function open(): Thread {
  const worker = new Worker(new URL('./rows-worker.ts', import.meta.url), {
    // Flags of the main thread, such as those of a test runner, are not for this one.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // The larger it may become, the more garbage it keeps.
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const thread: Thread = { worker, exports: new Map() }
  const end = (error: Error) => {
    const at = threads.indexOf(thread)
    if (at !== -1) threads.splice(at, 1)
    const waiting = [...thread.exports.values()].flat()
    thread.exports.clear()
    for (const { reject } of waiting) reject(error)
  }
  worker.on('message', ({ number, bytes, error }: RowsReply) => {
    // Undefined where the export was closed meanwhile.
    const answer = thread.exports.get(number)?.shift()
    if (bytes === undefined) answer?.reject(error)
    else answer?.resolve(bytes)
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the thread that writes rows has ended')))
  threads.push(thread)
  return thread
}

/** The memory of rows, unless something else lies there too, as what PostgreSQL's driver gives may. */
function buffersOf(request: RowsRequest): ArrayBuffer[] {
  if (typeof request === 'string') return []
  const { buffer, length } = request.bytes
  return buffer.byteLength === length ? [buffer] : []
}
