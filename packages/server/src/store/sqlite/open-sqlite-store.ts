import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { privateFolder } from '../../runtime/private-modes.ts'
import { GroupCommit } from '../group-commit.ts'
import { migrate, migrations } from '../migrate.ts'
import type { Store } from '../store.ts'
import { TextBudget } from '../text-budget.ts'
import { openReaders } from './readers.ts'
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
  const readers = openReaders(file, reads)
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
    prepareInWorker: readers.prepare,
    prepareBatchInWorker: readers.prepareBatch,
    warmUp: readers.warmUp,
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
