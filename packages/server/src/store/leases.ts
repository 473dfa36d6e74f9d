import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import type { DatabaseAddress, Db, Transaction } from './store.ts'

/** Held by the one process that does something. */
export type Lease = {
  /**
   * To be called before each step that two must not do, as whoever was suspended for long has lost it.
   * @throws LeaseLost
   */
  check: () => void
}

/**
 * Does what only one process may do at a time. What is called while another one is at it resolves to
 * undefined.
 */
export type Exclusively = <T>(
  name: string,
  work: (lease: Lease) => Promise<T>,
) => Promise<T | undefined>

/** Another process may have begun the same. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** The row of `leases` that stands for all datasets. */
export const catalogue = 'catalogue'

/** Lets datasets come and go one at a time: whether one may depends on others. */
export async function lockCatalogue(transaction: Transaction): Promise<void> {
  await transaction
    .selectFrom('leases')
    .select('name')
    .where('name', '=', catalogue)
    .modifyEnd(rowLock('change'))
    .execute()
}

/** The row of `leases` that stands for what all snapshots take. */
export const snapshotRoom = 'snapshots'

/** Lets snapshots be kept one at a time: whether there is room for one depends on others. */
export async function lockSnapshotRoom(transaction: Transaction): Promise<void> {
  await transaction
    .selectFrom('leases')
    .select('name')
    .where('name', '=', snapshotRoom)
    .modifyEnd(rowLock('change'))
    .execute()
}

/** The prefix of leases that keep collection from choosing blobs. */
export const holdPrefix = 'hold '

/** In milliseconds. One that a killed process left ends by itself. */
const hold = { held: 10 * 60_000, renewed: 60_000 }

const expiry = sql<number>`${now} + ${sql.lit(hold.held)}`

export type CollectionHold = {
  /** Renews the hold; returns false where it has lapsed, as in a process that was halted: then blobs may be gone. */
  renew: () => Promise<boolean>
  release: () => Promise<void>
}

/**
 * Keeps collection from choosing blobs for removal, whichever process runs it. What the database refers
 * to once this returns can be read until the hold is released.
 */
export async function holdCollection(address: DatabaseAddress): Promise<CollectionHold> {
  const db = await openWrites(address)
  const name = `${holdPrefix}${randomUUID()}`
  await db.insertInto('leases').values({ name, holder: name, expires_at: expiry }).execute()
  const renew = async () => {
    const { numUpdatedRows } = await db
      .updateTable('leases')
      .set({ expires_at: expiry })
      .where('name', '=', name)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  // Where that fails, nine others come before it ends.
  const renewing = setInterval(() => void renew().catch(() => undefined), hold.renewed)
  return {
    renew,
    release: async () => {
      clearInterval(renewing)
      await db
        .deleteFrom('leases')
        .where('name', 'like', `${holdPrefix}%`)
        .where((row) => row.or([row('name', '=', name), row('expires_at', '<=', now)]))
        .execute()
        .catch(() => undefined)
      await db.destroy()
    },
  }
}

/** Opens a database for writing as it is, beside other processes. */
async function openWrites(address: DatabaseAddress): Promise<Db> {
  if (address.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite/connection.ts')
    return openSqlite(address.file, { readOnly: false }).db
  }
  const { openPostgresWrites } = await import('./postgres/open-existing-postgres.ts')
  return openPostgresWrites(address.url)
}
