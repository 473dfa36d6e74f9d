import type { StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import {
  buffersOf,
  type WorkerStatement,
  type WriteTask,
  type WriteTasks,
} from './worker-writer.ts'
import { freeStart } from '../../runtime/gc.ts'
import { serveSessions } from '../../runtime/serve-sessions.ts'
import { addNumberFunctions } from './number-functions.ts'
import { openDatabase } from './open-database.ts'

// Writes apart from the event loop, on a connection of its own: a bulk of rows takes its time, and so
// does the disk at a checkpoint.

const database = openDatabase(workerData as string, { readOnly: false })
addNumberFunctions(database)
// More than it changes in one transaction of a bulk, as what does not fit is written twice.
database.exec('pragma cache_size = -6144')
freeStart()

serveSessions<WriteTasks>(() => ({ checkpoint, write }))

function checkpoint(): void {
  database.exec('pragma wal_checkpoint(passive)')
  // The next writer begins the log anew, and waits until that is on the disk.
  database.exec('pragma user_version = 0')
}

function write(task: WriteTask): void {
  const prepared = new Map<string, StatementSync>()
  const run = ({ sql, parameters }: WorkerStatement) => {
    let statement = prepared.get(sql)
    if (statement === undefined) prepared.set(sql, (statement = database.prepare(sql)))
    return statement.run(...parameters)
  }
  try {
    database.exec('begin immediate')
    try {
      const { changes } = run(task.claim)
      if (changes > 0) for (const statement of task.statements) run(statement)
      database.exec('commit')
    } finally {
      // A full disk makes SQLite roll back by itself.
      if (database.isTransaction) database.exec('rollback')
    }
  } finally {
    // Here for a moment, and large: left to be collected, they would cost more than the rows do.
    for (const buffer of buffersOf(task)) buffer.transfer(0)
  }
}
