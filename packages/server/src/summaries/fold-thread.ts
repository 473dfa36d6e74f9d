import { Worker } from 'node:worker_threads'
import type { FoldedField } from './field-fold.ts'
import type { Folded, FoldReply, FoldRequest, FoldTask } from './fold-worker.ts'

/** How long an idle thread is kept. */
const idleMs = 60_000

type Answer = PromiseWithResolvers<Folded | undefined>
type Thread = { worker: Worker; asked: Map<number, Answer> }

/** A summary under way in the thread. */
export type ThreadFold = {
  add: (bytes: Uint8Array) => Promise<void>
  /** What is known so far. */
  peek: () => Promise<Folded>
  /** The same with the state to go on from. */
  keep: () => Promise<Required<Folded>>
  close: () => void
}

/** Folds items into summaries in one thread that all of a process share. */
export class FoldThread {
  #thread: Thread | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0
  #lastNumber = 0

  /** Begins to fold, or goes on from a state; fails where that cannot be read. */
  async open(fields: FoldedField[], state: Uint8Array | undefined): Promise<ThreadFold> {
    const number = (this.#lastNumber += 1)
    const ask = (task: FoldTask) => this.#ask(number, task)
    await ask({ kind: 'open', fields, state })
    return {
      add: async (bytes) => void (await ask({ kind: 'add', bytes })),
      peek: async () => (await ask({ kind: 'peek' }))!,
      keep: async () => (await ask({ kind: 'keep' })) as Required<Folded>,
      close: () => void ask({ kind: 'close' }).catch(() => {}),
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#thread?.worker.terminate()
  }

  #ask(number: number, task: FoldTask): Promise<Folded | undefined> {
    clearTimeout(this.#idle)
    const { worker, asked } = (this.#thread ??= this.#open())
    const answer: Answer = Promise.withResolvers()
    const id = (this.#lastId += 1)
    asked.set(id, answer)
    const isAlone = task.kind === 'add' && task.bytes.buffer.byteLength === task.bytes.length
    const request: FoldRequest = { id, number, task }
    worker.postMessage(request, isAlone ? [task.bytes.buffer as ArrayBuffer] : [])
    return answer.promise
  }

  #open(): Thread {
    const worker = new Worker(new URL('./fold-worker.ts', import.meta.url), {
      // Flags of the main thread, such as those of a test runner, are not for this one.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    const thread: Thread = { worker, asked: new Map() }
    const { asked } = thread
    worker.on('message', ({ id, folded, error }: FoldReply) => {
      const { resolve, reject } = asked.get(id)!
      asked.delete(id)
      if (asked.size === 0) this.#idle = setTimeout(() => this.#leave(thread), idleMs).unref()
      if (error === undefined) resolve(folded)
      else reject(error)
    })
    let failure: unknown = new Error('the thread that folds was ended')
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
