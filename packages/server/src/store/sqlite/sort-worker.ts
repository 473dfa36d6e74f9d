import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { packKeys, type SortTask } from './sorted-keys.ts'

// Sorts apart from the event loop, on a connection of its own: at millions of rows it takes seconds.
// Each message asks for one batch.

const { databaseFile, table, batch } = workerData as SortTask
const port = parentPort!
const database = new DatabaseSync(databaseFile, { readOnly: true, timeout: 5000 })
// Into a table of this connection alone: were the batches read from the database itself, that one read
// would keep all that is written meanwhile in the write-ahead log.
database.exec(`create temp table sorted as select key, root from "${table}" order by key`)
const rows = database.prepare('select key, root from sorted order by rowid').iterate()

port.on('message', () => {
  const keys: Uint8Array[] = []
  const roots: number[] = []
  while (keys.length < batch) {
    const { value, done } = rows.next()
    if (done) break
    keys.push(value['key'] as Uint8Array)
    roots.push(value['root'] as number)
  }
  const packed = packKeys({ keys, roots })
  port.postMessage(packed, [packed.bytes.buffer as ArrayBuffer])
})
