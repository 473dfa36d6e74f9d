import { Worker, type WorkerOptions } from 'node:worker_threads'

/** A request to a thread, with the number that its reply bears. */
export type NumberedRequest<Request> = { id: number; request: Request }
/** An error loses what is special about it on its way from one thread to another. */
export type NumberedReply<Reply> = { id: number } & (
  { reply: Reply } | { error: { message: string; errcode?: number | undefined } }
)

type Thread<Reply> = { worker: Worker; asked: Map<number, PromiseWithResolvers<Reply>> }

/** Asks a thread that is started by the first request, and ended once it had none for a while. */
export class RequestThread<Request, Reply> {
  readonly #file: URL
  readonly #options: WorkerOptions
  readonly #idleMs: number
  #thread: Thread<Reply> | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0

  /** The file serves by `serveRequests`. */
  constructor(file: URL, { idleMs, ...options }: WorkerOptions & { idleMs: number }) {
    this.#file = file
    this.#idleMs = idleMs
    this.#options = options
  }

  ask(request: Request, handedOver: ArrayBuffer[] = []): Promise<Reply> {
    clearTimeout(this.#idle)
    const { worker, asked } = (this.#thread ??= this.#open())
    const reply = Promise.withResolvers<Reply>()
    const id = (this.#last += 1)
    asked.set(id, reply)
    worker.postMessage({ id, request } satisfies NumberedRequest<Request>, handedOver)
    return reply.promise
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#thread?.worker.terminate()
  }

  #open(): Thread<Reply> {
    const worker = new Worker(this.#file, {
      // Flags of the main thread, such as those of a test runner, are not for this one.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      ...this.#options,
    })
    const thread: Thread<Reply> = { worker, asked: new Map() }
    const { asked } = thread
    worker.on('message', (message: NumberedReply<Reply>) => {
      const { resolve, reject } = asked.get(message.id)!
      asked.delete(message.id)
      if (asked.size === 0) this.#idle = setTimeout(() => this.#leave(thread), this.#idleMs).unref()
      if ('reply' in message) resolve(message.reply)
      else reject(Object.assign(new Error(message.error.message), message.error))
    })
    let failure: unknown = new Error('the thread was ended')
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
      for (const { reject } of asked.values()) reject(failure)
    })
    return thread
  }

  #leave(thread: Thread<Reply>): void {
    if (this.#thread === thread) this.#thread = undefined
    void thread.worker.terminate()
  }
}
