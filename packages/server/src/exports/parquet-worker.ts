import { parentPort, workerData } from 'node:worker_threads'
import type { SnapshotRows } from '../views/snapshot.ts'
import type { ExportColumn } from './export-column.ts'
import { ParquetGroups } from './parquet-groups.ts'

// Encodes apart from the event loop, which a group of rows would hold for some 20 ms. Answers rows with
// the bytes of the file that are known by then, and `finish` with the rest.

const port = parentPort!
const groups = new ParquetGroups(workerData as ExportColumn[])

port.on('message', (request: SnapshotRows | 'finish') => {
  // What fails ends the thread.
  void answer(request)
})

async function answer(request: SnapshotRows | 'finish'): Promise<void> {
  const bytes = await (request === 'finish' ? groups.finish() : groups.add(request))
  port.postMessage(bytes, [bytes.buffer])
}
