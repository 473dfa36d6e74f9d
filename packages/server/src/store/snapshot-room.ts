import type { Transaction } from 'kysely'
import { rowLock } from './expressions.ts'
import type { Tables } from './tables.ts'

/** The row of `leases` that stands for what all snapshots take. */
export const snapshotRoom = 'snapshots'

/** Lets snapshots be kept one at a time: whether there is room for one depends on others. */
export async function lockSnapshotRoom(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .selectFrom('leases')
    .select('name')
    .where('name', '=', snapshotRoom)
    .modifyEnd(rowLock('change'))
    .execute()
}
