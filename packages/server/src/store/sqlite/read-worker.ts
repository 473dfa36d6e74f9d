import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { freeStart } from '../../runtime/gc.ts'
import { LruCache } from '../../runtime/lru-cache.ts'
import { serveSessions } from '../../runtime/serve-sessions.ts'
import { yieldProcessor } from '../../runtime/yield-processor.ts'
import { addSqlFunctions } from './functions.ts'
import { openDatabase } from './open-database.ts'

// Reads apart from the event loop, on a connection of its own.

export type ReadTasks = {
  /** The rows of a statement. */
  read: (statement: { sql: string; parameters: SQLInputValue[] }) => unknown[][]
  /** The rows of a statement with one set of parameters after the other, until there are `limit` rows. */
  readBatch: (statement: { sql: string; batch: SQLInputValue[][]; limit: number }) => unknown[][]
}

yieldProcessor()
const database = openDatabase(workerData as string, { readOnly: true })
addSqlFunctions(database)
// What is read from end to end is not read again.
database.exec('pragma cache_size = -2048')
// Not before the first answer, which somebody waits for.
setTimeout(freeStart, 2000).unref()
const statements = new LruCache<string, StatementSync>(8)

function prepare(sql: string): StatementSync {
  return statements.get(sql, () => {
    const prepared = database.prepare(sql)
    prepared.setReturnArrays(true)
    return prepared
  })
}

serveSessions<ReadTasks>(
  () => ({
    read: ({ sql, parameters }) => prepare(sql).all(...parameters) as unknown as unknown[][],
    readBatch: ({ sql, batch, limit }) => {
      const statement = prepare(sql)
      const rows: unknown[][] = []
      for (const parameters of batch) {
        if (rows.length >= limit) break
        for (const row of statement.all(...parameters)) rows.push(row as unknown as unknown[])
      }
      return rows
    },
  }),
  {
    read: (rows) =>
      rows
        .flat()
        .filter((cell) => cell instanceof Uint8Array)
        .map(({ buffer }) => buffer as ArrayBuffer),
  },
)
