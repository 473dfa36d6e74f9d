import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { freeBytes } from '../free-bytes.ts'
import type { SnapshotRows } from '../views/snapshot.ts'
import type { ExportColumn } from './export-column.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Writes rows as Parquet in a thread of its own, one window after the other. */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  windows: AsyncIterable<SnapshotRows>,
): AsyncGenerator<Bytes> {
  const worker = new Worker(new URL('./parquet-worker.ts', import.meta.url), {
    workerData: columns,
    // Flags of the main thread, such as those of a test runner, are not for this one.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ask = async (request: SnapshotRows | 'finish') => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request)
    // Rejects when the worker fails.
    return ((await once(worker, 'message')) as [Bytes])[0]
  }
  try {
    for await (const rows of windows) {
      const written = ask(rows)
      freeBytes(rows)
      const bytes = await written
      if (bytes.length > 0) yield bytes
    }
    yield await ask('finish')
  } finally {
    await worker.terminate()
  }
}
