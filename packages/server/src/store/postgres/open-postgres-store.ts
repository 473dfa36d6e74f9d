import { hash } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import { GroupCommit } from '../group-commit.ts'
import { migrate, migrations } from '../migrate.ts'
import { type Prepare, type WithSlots, batchOf, compileSlots } from '../prepare.ts'
import type { Db, Store, Transaction, WorkerWrite } from '../store.ts'
import type { Tables } from '../tables.ts'
import { commitOnPostgres } from './commit-group.ts'
import { Connections } from './connections.ts'
import { postgresDialect } from './dialect.ts'
import { PostgresDriver, PostgresReadDriver } from './driver.ts'
import { exclusivelyByLease } from './exclusively.ts'
import * as functions from './migrations/002-functions.ts'
import * as durations from './migrations/003-durations.ts'
import * as inlinedFunctions from './migrations/018-functions.ts'
import { requireFitting } from './require-fitting.ts'
import { sortKeys } from './sort-keys.ts'
import { cellTypes, changedColumns, itemTable } from '../items.ts'

/** Connections that one scan takes at most. */
const concurrentReads = 2
/** Connections of one process. Reads have their own: a write that reads beside itself waits for none. */
const connectionsMax = { reads: 10, writes: 6 }

export const postgresMigrations = {
  ...migrations,
  '002-postgres-functions': functions,
  '003-postgres-durations': durations,
  '018-postgres-functions': inlinedFunctions,
}

export async function openPostgresStore(url: string): Promise<Store> {
  const writing = new Connections(url, { max: connectionsMax.writes, pipeline: true })
  const reading = new Connections(url, { max: connectionsMax.reads })
  const dialect = postgresDialect(new PostgresDriver(writing))
  const writes = new Kysely<Tables>({ dialect })
  const reads = new Kysely<Tables>({ dialect: postgresDialect(new PostgresReadDriver(reading)) })
  const close = async () => {
    await writes.destroy()
    await reads.destroy()
    // Kysely leaves connections open that nothing was asked of.
    await writing.end()
    await reading.end()
  }
  try {
    const executed = await requireFitting(writing, Object.keys(postgresMigrations))
    await migrate(writes, postgresMigrations, executed)
  } catch (error) {
    await close()
    throw error
  }
  const commit = commitOnPostgres(writes, dialect)
  const group = new GroupCommit(commit)
  // Apart from the others: a lease must be renewed however busy they are.
  const leases = new GroupCommit(commit)
  const write: Store['write'] = (write, options) => group.write(write, options)
  let versions = 0
  const prepare = prepareOnPool(reading, reads)
  return {
    reads,
    prepare,
    // The server of the database runs it.
    prepareInWorker: prepare,
    prepareBatchInWorker: batchOf(prepare),
    concurrentReads,
    // Any other process may have written.
    version: () => (versions += 1),
    write,
    writeAlone: async (write) => {
      // What fails alone is thrown.
      const [outcome] = await commit([{ write, key: undefined }], { durable: true })
      return (outcome as { value: unknown }).value as Awaited<ReturnType<typeof write>>
    },
    writeInWorker: async (write) => {
      const run = (transaction: Transaction) => runWorkerWrite(transaction, write)
      await commit([{ write: run, key: undefined }], { durable: true })
    },
    sortKeys: (listingId, sizes) =>
      sortKeys({ connections: writing, write }, { listingId, ...sizes }),
    extendItemTable,
    // Dropping a table deletes its files.
    emptyTable: () => Promise.resolve(false),
    exclusively: exclusivelyByLease((write) => leases.write(write)),
    close: async () => {
      await group.idle()
      await leases.idle()
      await close()
    },
  }
}

/** Names each query by its text, so that a name means the same to all processes. */
export function prepareOnPool(connections: Connections, db: Db): Prepare {
  return <Parameters extends object>(build: WithSlots<Parameters>) => {
    const { compiled, fill } = compileSlots(db, build)
    const text = compiled.sql
    const query = { name: hash('sha256', text, 'base64url'), text, rowMode: 'array' as const }
    return async (parameters: Parameters) => (await connections.read(query, fill(parameters))).rows
  }
}

async function runWorkerWrite(
  transaction: Transaction,
  { claim, statements }: WorkerWrite,
): Promise<void> {
  const { numAffectedRows } = await claim.execute(transaction)
  if (numAffectedRows === 0n) return
  for (const statement of statements) await statement.execute(transaction)
}

/** How long others queue behind a change that waits for a transaction under way. */
const lockTimeout = '200ms'

/**
 * Only the catalogue changes, whatever the number of rows
 * (https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-NOTES).
 */
const extendItemTable: Store['extendItemTable'] = async (transaction, change) => {
  const { added, relaxed } = changedColumns(change)
  const changes = [
    ...added.map(({ name, kind }) => sql`add column ${sql.ref(name)} ${cellTypes[kind]}`),
    ...relaxed.map(({ name }) => sql`alter column ${sql.ref(name)} drop not null`),
  ]
  if (changes.length === 0) return
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction)
  await sql`alter table ${itemTable(change.id)} ${sql.join(changes)}`.execute(transaction)
  await sql`set local lock_timeout to default`.execute(transaction)
}
