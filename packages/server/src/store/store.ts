import type { Kysely, Transaction as KyselyTransaction, RawBuilder } from 'kysely'
import type { Expression } from './engine-sql.ts'
import type { WriteOptions } from './group-commit.ts'
import type { ItemTableChange } from './items.ts'
import type { Exclusively } from './leases.ts'
import type { Prepare, PrepareBatch } from './prepare.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Tables } from './tables.ts'

export { InvalidDatabase } from './invalid-database.ts'

/** A database handle for queries: the readers, or the transaction of a write. */
export type Db = Kysely<Tables>

/** A write in progress. */
export type Transaction = KyselyTransaction<Tables>

/** Keys written at once, in whole blocks, and keys in a block. */
export type SortSizes = { batch: number; block: number }

/** Writes the next batch in its turn with other writes; says whether the listing is still being built. */
export type PutSorted = () => Promise<boolean>

/** Keys of a listing that are being sorted; to be disposed of. */
export type KeySort = AsyncDisposable & {
  /** How many there are, once they are sorted. */
  count: Promise<number>
  /** Writes of all batches, in their order. */
  puts: () => AsyncIterable<PutSorted>
}

/**
 * The database of one installation. Reads go to `reads` and see only what was committed; every change
 * goes through `write`, which returns once it is durable, if it is neither derived nor provisional.
 */
export type Store = {
  reads: Db
  /** Prepares a query of `reads` that runs often. */
  prepare: Prepare
  /** Prepares a query that runs apart from the event loop, where this process runs it. */
  prepareInWorker: Prepare
  prepareBatchInWorker: PrepareBatch
  /** Starts what runs queries in a worker, so that the first of them does not wait for it; absent where nothing has to. */
  warmUp?: () => void
  /** Parts of a long scan that are read at the same time. */
  concurrentReads: number
  /**
   * Another number when something may have been written since it was asked before; while it is the
   * same, what was read is still so.
   */
  version: () => number
  /** Runs a write in a transaction. `write` must be idempotent outside of the database: it may be retried. */
  write: <T>(write: (transaction: Transaction) => Promise<T>, options?: WriteOptions) => Promise<T>
  /**
   * Runs a write that locks a table. In PostgreSQL it shares its transaction with no others, lest they
   * wait under that lock for somebody who reads the table.
   */
  writeAlone: <T>(write: (transaction: Transaction) => Promise<T>) => Promise<T>
  /**
   * Writes in one transaction apart from the event loop, in turn with other writes. It is for bulks of
   * rows that nobody can see yet: `version` stays as it is.
   */
  writeInWorker: (write: WorkerWrite) => Promise<void>
  /**
   * Sorts the keys of a listing that is being built, apart from the event loop, to be put into its order,
   * which holds none yet, batch by batch.
   */
  sortKeys: (listingId: number, sizes: SortSizes) => AsyncIterable<PutSorted>
  /**
   * Begins to sort what will be the keys of a listing, by rows of `key` and `root`, while they are written;
   * absent where the engine sorts in another process.
   */
  beginSort?: (listingId: number, rows: Expression, sizes: SortSizes) => KeySort
  /**
   * Makes room in an item table for an extended schema, however many rows it has, within a write.
   * @throws Failure OVERLOADED where others use the table for longer
   */
  extendItemTable: (transaction: Transaction, change: ItemTableChange) => Promise<void>
  /**
   * Removes the first `count` rows, by their key, of a table that is to be dropped, where an engine takes long to
   * drop a full one.
   * @returns whether there may be more
   */
  emptyTable: (
    transaction: Transaction,
    table: { name: Expression; key: string },
    count: number,
  ) => Promise<boolean>
  exclusively: Exclusively
  close: () => Promise<void>
}

/** Address of the database of an installation. */
export type DatabaseAddress =
  { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: string }

export async function openStore({ database }: { database: DatabaseAddress }): Promise<Store> {
  if (database.engine === 'sqlite') return openSqliteStore(database.file)
  // Loaded where it is used: it takes time to start and memory.
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts')
  return openPostgresStore(database.url)
}

/**
 * Statements of one transaction that runs apart from the event loop. The memory of bytes among their
 * parameters may be handed to another thread.
 */
export type WorkerWrite = {
  /** A change that comes first; where it changes no row, nothing of the rest is done. */
  claim: RawBuilder<unknown>
  statements: readonly RawBuilder<unknown>[]
}
