import { Worker } from 'node:worker_threads'

/** How long an idle thread is kept: starting one takes a third of a second of processor time. */
const idleMs = 10_000

/** Threads that check blocks: those of one import stay a while for the next one. */
export class CheckThreads {
  readonly #idle = new Map<Worker, NodeJS.Timeout>()

  /** A thread that is the caller's until it gives it back, or ends it. */
  take(): Worker {
    const [found] = this.#idle
    if (found === undefined) return this.#open()
    const [thread, timer] = found
    clearTimeout(timer)
    this.#idle.delete(thread)
    thread.ref()
    return thread
  }

  /** Takes back a thread that has answered all that it was asked. */
  giveBack(thread: Worker): void {
    thread.unref()
    this.#idle.set(thread, setTimeout(() => void thread.terminate(), idleMs).unref())
  }

  /** Ends idle threads. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.keys().map((thread) => thread.terminate()))
  }

  #open(): Worker {
    const thread = new Worker(new URL('./check-worker.ts', import.meta.url), {
      // Flags of the main thread, such as those of a test runner, are not for this one.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    // Whoever uses it is told by `once`; what befalls an idle one matters to nobody.
    thread.on('error', () => {})
    thread.on('exit', () => {
      clearTimeout(this.#idle.get(thread))
      this.#idle.delete(thread)
    })
    return thread
  }
}
