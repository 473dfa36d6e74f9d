import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SortedKeys } from '../put-sorted-keys.ts'

export type SortTask = { databaseFile: string; table: string; batch: number }

/** The same on its way from one thread to another, as thousands of small buffers are slow to hand over. */
type PackedKeys = { bytes: Uint8Array; ends: Uint32Array; roots: Float64Array }

export function packKeys({ keys, roots }: SortedKeys): PackedKeys {
  const ends = new Uint32Array(keys.length)
  let end = 0
  for (const [index, key] of keys.entries()) ends[index] = end += key.length
  const bytes = new Uint8Array(end)
  for (const [index, key] of keys.entries()) bytes.set(key, ends[index]! - key.length)
  return { bytes, ends, roots: Float64Array.from(roots) }
}

function unpackKeys({ bytes, ends, roots }: PackedKeys): SortedKeys {
  const keys: Uint8Array[] = []
  let from = 0
  for (const end of ends) {
    keys.push(bytes.subarray(from, end))
    from = end
  }
  return { keys, roots: [...roots] }
}

/** Reads a table of keys in their order, batch by batch, without holding the event loop. */
export async function* readSortedKeys(task: SortTask): AsyncGenerator<SortedKeys> {
  const worker = new Worker(new URL('./sort-worker.ts', import.meta.url), {
    workerData: task,
    // Flags of the main thread, such as those of a test runner, are not for this one.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const request = () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage('next')
    // Rejects when the worker fails.
    const reply = once(worker, 'message') as Promise<[PackedKeys]>
    reply.catch(() => {})
    return reply
  }
  try {
    let reply = request()
    for (;;) {
      const [batch] = await reply
      if (batch.ends.length === 0) return
      // The next one is made ready while this one is written.
      reply = request()
      yield unpackKeys(batch)
    }
  } finally {
    await worker.terminate()
  }
}
