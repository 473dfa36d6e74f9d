import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import type { Prepare } from './prepare.ts'
import { privateFolder } from './private-folder.ts'
import { readSortedKeys, type SortedKeys } from './sorted-keys.ts'
import { openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** What a query may run on: the readers, or the transaction of a write. */
export type Db = Kysely<Tables>

/**
 * The database of one installation. Reads go to `reads` and see only what was committed; every change
 * goes through `write`, which returns once it is durable.
 */
export type Store = {
  reads: Db
  /** Prepares a query of `reads` that runs often. */
  prepare: Prepare
  /**
   * Another number when something may have been written since it was asked before; while it is the
   * same, what was read is still so.
   */
  version: () => number
  write: <T>(write: (transaction: Transaction<Tables>) => Promise<T>) => Promise<T>
  /** The keys of a listing in their order, in batches of so many, sorted apart from the event loop. */
  sortKeys: (listingId: number, batch: number) => AsyncIterable<SortedKeys>
  close: () => Promise<void>
}

/** The database's own clock, in milliseconds since 1970: deadlines are judged by it. */
export const now: RawBuilder<number> = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

export async function openStore({ databaseFile }: { databaseFile: string }): Promise<Store> {
  mkdirSync(dirname(databaseFile), { recursive: true, mode: privateFolder })
  const { db: writes } = openSqlite(databaseFile, { readOnly: false })
  await migrate(writes)
  const { db: reads, prepare } = openSqlite(databaseFile, { readOnly: true })
  const group = new GroupCommit(writes)
  return {
    reads,
    prepare,
    // The data folder is locked, so nobody else writes datasets or items.
    version: () => group.commits,
    write: (write) => group.write(write),
    sortKeys: (listingId, batch) =>
      readSortedKeys({ databaseFile, table: `keys_${listingId}`, batch }),
    close: async () => {
      await group.idle()
      await reads.destroy()
      await writes.destroy()
    },
  }
}
