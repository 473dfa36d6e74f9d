import { sql } from 'kysely'
import type { Db, Store } from './store.ts'

/** Returns the id of the installation that a database belongs to; undefined before its first start. */
export async function findInstallation(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('id').executeTakeFirst()
  return row?.id
}

/** Gives a database an id unless it has one; returns the one that it has from then on. */
export function claimInstallation(store: Store, id: string): Promise<string> {
  return store.write(async (transaction) => {
    await transaction
      .insertInto('installation')
      .values({ number: 1, id })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .execute()
    const row = await transaction.selectFrom('installation').select('id').executeTakeFirstOrThrow()
    return row.id
  })
}

/** Returns whether the last checkpoints of logs are kept, and so have to be found, outside of a database. */
export async function keepsCheckpoints(db: Db): Promise<boolean> {
  const row = await db.selectFrom('installation').select('keeps_checkpoints').executeTakeFirst()
  return row?.keeps_checkpoints === 1
}

export function noteCheckpoints(store: Store): Promise<void> {
  return store.write(async (transaction) => {
    await transaction.updateTable('installation').set({ keeps_checkpoints: 1 }).execute()
  })
}

/** Returns whether a database knows of any blob. */
export async function hasBlobs(db: Db): Promise<boolean> {
  const blob = await db
    .selectFrom('blobs')
    .select(sql.lit(1).as('one'))
    .where('state', '=', 'live')
    .limit(1)
    .execute()
  return blob.length > 0
}

/** Rejects while the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
