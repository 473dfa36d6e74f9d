import type { StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { LruCache } from '../../runtime/lru-cache.ts'
import type { ReadReply, ReadRequest } from './worker-reader.ts'
import { addCastFunctions } from './cast-functions.ts'
import { addNumberFunctions } from './number-functions.ts'
import { openDatabase } from './open-database.ts'
import { yieldProcessor } from '../../runtime/yield-processor.ts'

// Reads apart from the event loop, on a connection of its own.

yieldProcessor()
const port = parentPort!
const database = openDatabase(workerData as string, { readOnly: true })
addNumberFunctions(database)
addCastFunctions(database)
// What is read from end to end is not read again.
database.exec('pragma cache_size = -2048')
const statements = new LruCache<string, StatementSync>(8)

port.on('message', ({ id, sql, parameters }: ReadRequest) => {
  try {
    const statement = statements.get(sql, () => {
      const prepared = database.prepare(sql)
      prepared.setReturnArrays(true)
      return prepared
    })
    const rows = statement.all(...parameters) as unknown as unknown[][]
    send({ id, rows }, rows)
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    send({ id, error: { message, errcode } })
  }
})

function send(reply: ReadReply, rows: unknown[][] = []): void {
  const cells = rows.flat().filter((cell) => cell instanceof Uint8Array)
  port.postMessage(
    reply,
    cells.map(({ buffer }) => buffer as ArrayBuffer),
  )
}
