import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { buffersOf, type WriteTask } from './compile-worker-write.ts'

/** An error loses what is special about it on its way from one thread to another. */
export type WriteReply = { error: { message: string; errcode: number | undefined } | undefined }

/** A request to the thread. */
export type WriteRequest = WriteTask | 'checkpoint'

/**
 * Runs transactions and checkpoints in a thread of its own, one at a time; whoever calls lets no other
 * write run.
 */
export class WorkerWriter {
  readonly #databaseFile: string
  #worker: Worker | undefined

  constructor(databaseFile: string) {
    this.#databaseFile = databaseFile
  }

  /** Runs statements in one transaction, durable when this resolves. */
  write(task: WriteTask): Promise<void> {
    return this.#ask(task, [...buffersOf(task)])
  }

  /** Copies what is in the write-ahead log to where it belongs, so that the log begins anew. */
  checkpoint(): Promise<void> {
    return this.#ask('checkpoint')
  }

  async #ask(request: WriteRequest, handedOver: ArrayBuffer[] = []): Promise<void> {
    const worker = (this.#worker ??= this.#open())
    worker.postMessage(request, handedOver)
    // Rejects when the worker fails.
    const [{ error }] = (await once(worker, 'message')) as [WriteReply]
    if (error !== undefined) throw Object.assign(new Error(error.message), error)
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #open(): Worker {
    const worker = new Worker(new URL('./write-worker.ts', import.meta.url), {
      workerData: this.#databaseFile,
      // Flags of the main thread, such as those of a test runner, are not for this one.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    worker.on('error', () => {
      this.#worker = undefined
    })
    return worker
  }
}
