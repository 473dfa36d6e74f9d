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

/**
 * Milliseconds after a search until the thread begins that reads half of the next one. Beside the first search, and the
 * index that it sets off, it would take that another 100 ms on two cores.
 */
const secondStartMs = 1000

export async function openSqliteStore(file: string): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true, mode: privateFolder })
  const executed = requireFitting(file, Object.keys(migrations))
  const writing = await openForWriting(file, executed)
  const { db: writes } = writing
  const reading = openSqlite(file, { readOnly: true })
  const { db: reads, prepare } = reading
  const apart = new WorkerWriter(file)
  const openReader = (): Reader =>
    new WorkerPool(new URL('./read-worker.ts', import.meta.url), {
      size: 1,
      // People look at what they found, and then search again: to begin one takes longer than most searches.
      idleMs: 10 * 60_000,
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
  const reader = openReader()
  // For searches alone: two threads of an export or a view would leave little to others.
  const second = openReader()
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
    prepareInWorker: prepareBy(reader, reads),
    prepareBatchInWorker: prepareBatchBy([reader, second], reads),
    concurrentReads: 2,
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
      await Promise.all([reader.close(), second.close()])
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

/** Pool of a thread that reads. */
type Reader = WorkerPool<ReadTasks>

function prepareBy(reader: Reader, db: Db): Prepare {
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ): Prepared<Parameters, Row> => {
    const { compiled, fill } = compileSlots(db, build)
    return (parameters) => {
      const task = { sql: compiled.sql, parameters: fill(parameters) as SQLInputValue[] }
      return reader.use((session) => session.run('read', task)) as unknown as Promise<Row[]>
    }
  }
}

/** Prepares reads of which the second thread takes half, once it is there. */
function prepareBatchBy([first, second]: [Reader, Reader], db: Db): PrepareBatch {
  let start: NodeJS.Timeout | undefined
  const startSecond = () => {
    start = undefined
    // Not needed any more where it is closed meanwhile.
    second
      .use((session) => session.run('read', { sql: 'select 1', parameters: [] }))
      .catch(() => {})
  }
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ) => {
    const { compiled, fill } = compileSlots(db, build)
    const read = (reader: Reader, batch: SQLInputValue[][], limit: number) =>
      reader.use((session) => session.run('readBatch', { sql: compiled.sql, batch, limit }))
    return async (batch: readonly Parameters[], limit: number) => {
      const parameters = batch.map((each) => fill(each) as SQLInputValue[])
      if (!second.isReady) start ??= setTimeout(startSecond, secondStartMs).unref()
      // Contiguous, so that the rows are in order.
      const half = second.isReady ? Math.ceil(parameters.length / 2) : parameters.length
      const [begin, end] = [parameters.slice(0, half), parameters.slice(half)]
      const parts = await Promise.all([
        read(first, begin, limit),
        end.length === 0 ? [] : read(second, end, limit),
      ])
      return parts.flat().slice(0, limit) as unknown as Row[]
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
