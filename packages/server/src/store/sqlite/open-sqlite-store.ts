import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { privateFolder } from '../../runtime/private-modes.ts'
import { GroupCommit } from '../group-commit.ts'
import { migrate, migrations } from '../migrate.ts'
import { compileSlots, type Prepare, type Prepared, type WithSlots } from '../prepare.ts'
import type { Db, Store } from '../store.ts'
import { ApartReader } from './worker-reader.ts'
import { ApartWriter } from './worker-writer.ts'
import { compileApartWrite } from './compile-worker-write.ts'
import { commitOnSqlite } from './commit-group.ts'
import { openSqlite, type SqliteConnection } from './connection.ts'
import { exclusivelyHere } from './exclusively.ts'
import * as digestsAsBytes from './migrations/010-digests-as-bytes.ts'
import { explain, requireFitting } from './require-fitting.ts'
import { sortKeys } from './sort-keys.ts'

/**
 * Pages in the write-ahead log when they are to be copied into the database: as many as SQLite itself
 * lets come together. It would copy them within a commit, and hold the event loop while the disk syncs
 * twice (docs/decisions/0076-checkpoints-apart.md).
 */
const checkpointPages = 1000

export const sqliteMigrations = { ...migrations, '010-sqlite-digests-as-bytes': digestsAsBytes }

export async function openSqliteStore(file: string): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true, mode: privateFolder })
  requireFitting(file, Object.keys(sqliteMigrations))
  const writing = await openForWriting(file)
  const { db: writes } = writing
  const { db: reads, prepare } = openSqlite(file, { readOnly: true })
  const apart = new ApartWriter(file)
  const reader = new ApartReader(file)
  const pagesInLog = writing.leaveCheckpoints()
  const commit = commitOnSqlite(writing)
  let isCheckpointDue = false
  const group = new GroupCommit(async (writes, options) => {
    const outcomes = await commit(writes, options)
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
  return {
    reads,
    prepare,
    prepareApart: prepareBy(reader, reads),
    // The data folder is locked, so nobody else writes datasets or items.
    version: () => group.commits,
    write: (write, options) => group.write(write, options),
    writeApart: (write) => {
      const task = compileApartWrite(writes, write)
      return group.alone(() => apart.write(task))
    },
    sortKeys: (listingId, { batch, block }) =>
      sortKeys({ databaseFile: file, listingId, batch, block }, (work) => group.alone(work)),
    exclusively: exclusivelyHere(),
    close: async () => {
      await group.idle()
      await apart.close()
      await reader.close()
      await reads.destroy()
      await writes.destroy()
    },
  }
}

/** Opens a database and brings it to the newest schema. */
async function openForWriting(file: string): Promise<SqliteConnection> {
  try {
    const writing = openSqlite(file, { readOnly: false })
    await migrate(writing.db, sqliteMigrations)
    return writing
  } catch (error) {
    throw explain(file, error)
  }
}

function prepareBy(reader: ApartReader, db: Db): Prepare {
  return <Parameters extends object, Row extends readonly unknown[]>(
    build: WithSlots<Parameters>,
  ): Prepared<Parameters, Row> => {
    const { compiled, fill } = compileSlots(db, build)
    return (given) =>
      reader.read(compiled.sql, fill(given) as SQLInputValue[]) as unknown as Promise<Row[]>
  }
}
