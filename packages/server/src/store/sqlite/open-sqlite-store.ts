import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { sql } from 'kysely'
import { privateFolder } from '../../runtime/private-modes.ts'
import { WorkerPool } from '../../runtime/worker-pool.ts'
import { GroupCommit } from '../group-commit.ts'
import { migrate, migrations } from '../migrate.ts'
import {
  type Prepare,
  type PrepareBatch,
  type Prepared,
  type WithSlots,
  compileSlots,
} from '../prepare.ts'
import type { Db, Store } from '../store.ts'
import { TextBudget } from '../text-budget.ts'
import type { ReadTasks } from './read-worker.ts'
import { compileStatement, compileWorkerWrite, WorkerWriter } from './worker-writer.ts'
import { commitOnSqlite } from './commit-group.ts'
import { type SqliteConnection, openSqlite } from './connection.ts'
import { extendItemTableBy } from './extend-item-table.ts'
import { explainIoError } from './explain-io-error.ts'
import { explain, requireFitting } from './require-fitting.ts'
import { sortKeys } from './sort-keys.ts'
import type { Exclusively } from '../leases.ts'

/**
 * Pages in the write-ahead log when they are to be copied into the database: as many as SQLite itself
 * lets come together. It would copy them within a commit, and hold the event loop while the disk syncs
 * twice (docs/decisions/store.md).
 */
const checkpointPages = 1000

export async function openSqliteStore(file: string): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true, mode: privateFolder })
  const executed = requireFitting(file, Object.keys(migrations))
  const writing = await openForWriting(file, executed)
  const { db: writes } = writing
  const reading = openSqlite(file, { readOnly: true })
  const { db: reads, prepare } = reading
  const apart = new WorkerWriter(file)
  const readers: Readers = new WorkerPool(new URL('./read-worker.ts', import.meta.url), {
    size: 1,
    // People look at what they found, and then search again: to begin one takes longer than most searches.
    idleMs: 10 * 60_000,
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  const pagesInLog = writing.leaveCheckpoints()
  const commit = commitOnSqlite(writing)
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      throw await explainIoError(error, dirname(file))
    })
  let isCheckpointDue = false
  const group = new GroupCommit(async (writes, options) => {
    const outcomes = await explained(commit(writes, options))
    if (!isCheckpointDue && pagesInLog() >= checkpointPages) {
      isCheckpointDue = true
      group
        .alone(() => apart.checkpoint())
        // As with SQLite's own checkpoints, one that fails leaves all in the log, for the next to copy.
        .catch(() => {})
        .finally(() => {
          isCheckpointDue = false
        })
    }
    return outcomes
  })
  const alone = <T>(work: () => Promise<T>) => group.alone(work)
  return {
    reads,
    prepare,
    prepareInWorker: prepareBy(readers, reads),
    prepareBatchInWorker: prepareBatchBy(readers, reads),
    concurrentReads: 1,
    // The data folder is locked, so no other process writes datasets or items.
    version: () => group.commits,
    write: (write, options) => group.write(write, options),
    // No lock keeps anybody waiting: there is one writer, and readers see what was there before.
    writeAlone: (write) => group.write(write),
    writeInWorker: (write) => {
      const task = compileWorkerWrite(writes, write)
      return group.alone(() => explained(apart.write(task)))
    },
    sortKeys: async function* (listingId, sizes) {
      const rows = { sql: `select key, root from keys_${listingId}`, parameters: [] }
      await using sort = sortKeys({ databaseFile: file, listingId, rows, ...sizes }, alone)
      yield* sort.puts()
    },
    beginSort: (listingId, rows, sizes) => {
      const task = { databaseFile: file, listingId, rows: compileStatement(reads, rows) }
      return sortKeys({ ...task, ...sizes }, alone)
    },
    extendItemTable: extendItemTableBy(writing),
    emptyTable,
    exclusively: exclusivelyHere(),
    close: async () => {
      await group.idle()
      await apart.close()
      await readers.close()
      await reading.close()
      await writing.close()
    },
  }
}

/** Opens a database and brings it to the newest schema. */
async function openForWriting(
  file: string,
  executed: readonly string[],
): Promise<SqliteConnection> {
  try {
    const writing = openSqlite(file, { readOnly: false, textBudget: new TextBudget() })
    await migrate(writing.db, migrations, executed)
    return writing
  } catch (error) {
    throw explain(file, error)
  }
}

/** Pool of the thread that reads. */
type Readers = WorkerPool<ReadTasks>

function prepareBy(readers: Readers, db: Db): Prepare {
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ): Prepared<Parameters, Row> => {
    const { compiled, fill } = compileSlots(db, build)
    return (parameters) => {
      const task = { sql: compiled.sql, parameters: fill(parameters) as SQLInputValue[] }
      return readers.use((session) => session.run('read', task)) as unknown as Promise<Row[]>
    }
  }
}

function prepareBatchBy(readers: Readers, db: Db): PrepareBatch {
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ) => {
    const { compiled, fill } = compileSlots(db, build)
    return (batch: readonly Parameters[], limit: number) => {
      const parameters = batch.map((each) => fill(each) as SQLInputValue[])
      const task = { sql: compiled.sql, batch: parameters, limit }
      return readers.use((session) => session.run('readBatch', task)) as unknown as Promise<Row[]>
    }
  }
}

/** Dropping a full table would hold the event loop for as long as it takes to read all of it. */
const emptyTable: Store['emptyTable'] = async (transaction, { name, key }, count) => {
  const column = sql.ref(key)
  const { numAffectedRows = 0n } = await sql`
    delete from ${name}
    where ${column} in (select ${column} from ${name} order by ${column} limit ${count})
  `.execute(transaction)
  return numAffectedRows > 0n
}

/** The data folder is locked, so only this process is there to do anything. */
function exclusivelyHere(): Exclusively {
  const held = new Set<string>()
  return async (name, work) => {
    if (held.has(name)) return undefined
    held.add(name)
    try {
      return await work({ check: () => undefined })
    } finally {
      held.delete(name)
    }
  }
}
