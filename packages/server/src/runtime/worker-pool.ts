import { Worker, type WorkerOptions } from 'node:worker_threads'
import {
  WorkerExit,
  WorkerSession,
  type Answers,
  type Calls,
  type FromWorker,
  type NoCalls,
} from './worker-session.ts'

type PoolOptions = WorkerOptions & {
  /** Threads at most; beyond that, sessions share them. */
  size: number
  /** Milliseconds after which a thread without a session ends; never, if left out. */
  idleMs?: number
}

type PooledWorker<Tasks extends Calls, Questions extends Calls> = {
  thread: Worker
  sessions: Map<number, WorkerSession<Tasks, Questions>>
  /** Whether it has loaded its code, and answered. */
  isReady: boolean
  idleTimer?: NodeJS.Timeout
}

/**
 * Pool of worker threads that serve sessions (`serve-sessions.ts`). A thread starts when a session needs one,
 * and ends when it has had none for a while (docs/decisions/performance.md). It leaves the pool before it is
 * terminated, as that takes a moment in which messages to it are lost.
 */
export class WorkerPool<Tasks extends Calls, Questions extends Calls = NoCalls> {
  readonly #file: URL
  readonly #size: number
  readonly #idleMs: number | undefined
  readonly #options: WorkerOptions
  readonly #workers = new Set<PooledWorker<Tasks, Questions>>()
  #lastSession = 0
  #isClosed = false

  constructor(file: URL, { size, idleMs, ...options }: PoolOptions) {
    this.#file = file
    this.#size = size
    this.#idleMs = idleMs
    this.#options = options
  }

  /** Whether a session has a thread that has loaded its code. */
  get isReady(): boolean {
    return [...this.#workers].some(({ isReady }) => isReady)
  }

  /**
   * Opens a session in the thread that has the fewest. Whoever opens it closes it.
   * @throws Error once the pool is closed
   */
  openSession(answers?: Answers<Questions>): WorkerSession<Tasks, Questions> {
    if (this.#isClosed) throw new Error('the pool of worker threads is closed')
    const worker = this.#pick()
    clearTimeout(worker.idleTimer)
    worker.thread.ref()
    const number = (this.#lastSession += 1)
    const session = new WorkerSession<Tasks, Questions>({
      session: number,
      answers,
      post: (message, transfer = []) => worker.thread.postMessage(message, transfer),
      onClose: () => this.#leave(worker, number),
      terminate: () => this.#terminate(worker),
    })
    worker.sessions.set(number, session)
    return session
  }

  /**
   * Does some work in a session of its own. It is done again from its beginning, once, where the thread exits
   * meanwhile: it must not depend on what it has transferred or passed on before.
   */
  async use<T>(
    work: (session: WorkerSession<Tasks, Questions>) => Promise<T>,
    answers?: Answers<Questions>,
  ): Promise<T> {
    const attempt = async () => {
      const session = this.openSession(answers)
      try {
        return await work(session)
      } finally {
        session.close()
      }
    }
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof WorkerExit)) throw error
      return attempt()
    }
  }

  /** Ends all threads; tasks that run are rejected, and no session is opened any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#workers].map((worker) => this.#terminate(worker)))
  }

  #pick(): PooledWorker<Tasks, Questions> {
    const [first] = [...this.#workers].toSorted((a, b) => a.sessions.size - b.sessions.size)
    const isFree = first?.sessions.size === 0
    const isFull = this.#workers.size >= this.#size
    return first !== undefined && (isFree || isFull) ? first : this.#start()
  }

  #start(): PooledWorker<Tasks, Questions> {
    const thread = new Worker(this.#file, {
      // Flags of the main thread, such as those of a test runner, are not for this one.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      ...this.#options,
    })
    const worker: PooledWorker<Tasks, Questions> = { thread, sessions: new Map(), isReady: false }
    thread.on('message', (message: FromWorker) => {
      worker.isReady = true
      // Undefined where it was closed meanwhile.
      worker.sessions.get(message.session)?.receive(message)
    })
    thread.on('error', (error) => this.#remove(worker, error))
    thread.on('exit', () => this.#remove(worker, new WorkerExit()))
    this.#workers.add(worker)
    return worker
  }

  #leave(worker: PooledWorker<Tasks, Questions>, session: number): void {
    worker.sessions.delete(session)
    if (worker.sessions.size > 0 || !this.#workers.has(worker)) return
    worker.thread.unref()
    if (this.#idleMs === undefined) return
    worker.idleTimer = setTimeout(() => void this.#terminate(worker), this.#idleMs).unref()
  }

  async #terminate(worker: PooledWorker<Tasks, Questions>): Promise<void> {
    this.#remove(worker, new Error('the worker thread was terminated'))
    await worker.thread.terminate()
  }

  #remove(worker: PooledWorker<Tasks, Questions>, error: unknown): void {
    this.#workers.delete(worker)
    clearTimeout(worker.idleTimer)
    for (const session of worker.sessions.values()) session.end(error)
  }
}
