import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PutSorted, SortSizes } from '../store.ts'

export type SortTask = SortSizes & { databaseFile: string; listingId: number }

/**
 * Sorts the keys of a listing in a thread of its own, which writes each batch itself: keys that went
 * through this one would be collected as garbage here, which holds the event loop for longer than
 * anything else did.
 */
export async function* sortKeys(
  task: SortTask,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): AsyncGenerator<PutSorted> {
  const worker = new Worker(new URL('./sort-worker.ts', import.meta.url), {
    workerData: task,
    // Flags of the main thread, such as those of a test runner, are not for this one.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  // Rejects when the worker fails.
  const reply = async <T>() => ((await once(worker, 'message')) as [T])[0]
  try {
    const rows = await reply<number>()
    for (let from = 0; from < rows; from += task.batch) {
      yield () =>
        alone(() => {
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
          worker.postMessage(from)
          return reply<boolean>()
        })
    }
  } finally {
    await worker.terminate()
  }
}
