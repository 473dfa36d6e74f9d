import type { SQLInputValue } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** A statement for the thread, with the number that its reply bears. */
export type ReadRequest = { id: number; sql: string; parameters: SQLInputValue[] }

/** An error loses what is special about it on its way from one thread to another. */
export type ReadReply = { id: number } & (
  { rows: unknown[][] } | { error: { message: string; errcode: number | undefined } }
)

/** How long an idle thread is kept. */
const idleMs = 10_000

type Thread = { worker: Worker; asked: Map<number, PromiseWithResolvers<unknown[][]>> }

/** Runs queries in a thread of its own, one after the other. */
export class WorkerReader {
  readonly #databaseFile: string
  #thread: Thread | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0

  constructor(databaseFile: string) {
    this.#databaseFile = databaseFile
  }

  read(sql: string, parameters: SQLInputValue[]): Promise<unknown[][]> {
    clearTimeout(this.#idle)
    const { worker, asked } = (this.#thread ??= this.#open())
    const reply = Promise.withResolvers<unknown[][]>()
    this.#last += 1
    asked.set(this.#last, reply)
    const request: ReadRequest = { id: this.#last, sql, parameters }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request)
    return reply.promise
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#thread?.worker.terminate()
  }

  #open(): Thread {
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
      workerData: this.#databaseFile,
      // Flags of the main thread, such as those of a test runner, are not for this one.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const thread: Thread = { worker, asked: new Map() }
    const { asked } = thread
    worker.on('message', (reply: ReadReply) => {
      const { resolve, reject } = asked.get(reply.id)!
      asked.delete(reply.id)
      if (asked.size === 0) this.#idle = setTimeout(() => this.#leave(thread), idleMs).unref()
      if ('rows' in reply) resolve(reply.rows)
      else reject(Object.assign(new Error(reply.error.message), reply.error))
    })
    let failure: unknown = new Error('the thread that reads was ended')
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
      for (const { reject } of asked.values()) reject(failure)
    })
    return thread
  }

  #leave(thread: Thread): void {
    if (this.#thread === thread) this.#thread = undefined
    void thread.worker.terminate()
  }
}
