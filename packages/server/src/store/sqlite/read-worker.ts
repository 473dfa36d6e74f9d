import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { LruCache } from '../../runtime/lru-cache.ts'
import { serveSessions } from '../../runtime/serve-sessions.ts'
import { yieldProcessor } from '../../runtime/yield-processor.ts'
import { addSqlFunctions } from './functions.ts'
import { openDatabase } from './open-database.ts'

// Reads apart from the event loop, on a connection of its own.

export type ReadTasks = {
  /** The rows of a statement. */
  read: (statement: { sql: string; parameters: SQLInputValue[] }) => unknown[][]
}

yieldProcessor()
const database = openDatabase(workerData as string, { readOnly: true })
addSqlFunctions(database)
// What is read from end to end is not read again.
database.exec('pragma cache_size = -2048')
const statements = new LruCache<string, StatementSync>(8)

serveSessions<ReadTasks>(
  () => ({
    read: ({ sql, parameters }) => {
      const statement = statements.get(sql, () => {
        const prepared = database.prepare(sql)
        prepared.setReturnArrays(true)
        return prepared
      })
      return statement.all(...parameters) as unknown as unknown[][]
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
