import { RequestThread } from '../runtime/request-thread.ts'
import type { FoldedField } from './field-fold.ts'
import type { Folded, FoldRequest, FoldTask } from './fold-worker.ts'

/** How long an idle thread is kept. */
const idleMs = 60_000

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
  readonly #thread = new RequestThread<FoldRequest, Folded | undefined>(
    new URL('./fold-worker.ts', import.meta.url),
    { idleMs },
  )
  #lastNumber = 0

  /** Begins to fold, or goes on from a state; fails where that cannot be read. */
  async open(fields: FoldedField[], state: Uint8Array | undefined): Promise<ThreadFold> {
    const number = (this.#lastNumber += 1)
    const ask = (task: FoldTask) => this.#thread.ask({ number, task }, buffersOf(task))
    await ask({ kind: 'open', fields, state })
    return {
      add: async (bytes) => void (await ask({ kind: 'add', bytes })),
      peek: async () => (await ask({ kind: 'peek' }))!,
      keep: async () => (await ask({ kind: 'keep' })) as Required<Folded>,
      close: () => void ask({ kind: 'close' }).catch(() => {}),
    }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

/** The memory of rows, unless something else lies there too, as what PostgreSQL's driver gives may. */
function buffersOf(task: FoldTask): ArrayBuffer[] {
  if (task.kind !== 'add') return []
  const { buffer, length } = task.bytes
  return buffer.byteLength === length ? [buffer as ArrayBuffer] : []
}
