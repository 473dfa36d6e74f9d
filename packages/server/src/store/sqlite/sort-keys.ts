import { WorkerPool } from '../../runtime/worker-pool.ts'
import type { KeySort, PutSorted, SortSizes } from '../store.ts'
import type { WorkerStatement } from './worker-writer.ts'

export type SortTask = SortSizes & {
  databaseFile: string
  listingId: number
  /** Rows of key and root. */
  rows: WorkerStatement
}

export type SortTasks = {
  /** Returns how many rows there are. */
  count: () => number
  /** Puts those from one on into order; false once the listing is not wanted any more. */
  put: (from: number) => boolean
}

/**
 * Sorts the keys of a listing in a thread of its own, which writes each batch itself: keys that went
 * through this one would be collected as garbage here, which holds the event loop for longer than
 * anything else did.
 */
export function sortKeys(
  task: SortTask,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): KeySort {
  const pool = new WorkerPool<SortTasks>(new URL('./sort-worker.ts', import.meta.url), {
    size: 1,
    workerData: task,
  })
  // Nothing is repeated where the thread exits: what it has sorted goes with it.
  const session = pool.openSession()
  const count = session.run('count')
  // Whoever waits for it is told.
  count.catch(() => undefined)
  async function* puts(): AsyncGenerator<PutSorted> {
    const rows = await count
    for (let from = 0; from < rows; from += task.batch) {
      yield () => alone(() => session.run('put', from))
    }
  }
  return { count, puts, [Symbol.asyncDispose]: () => pool.close() }
}
