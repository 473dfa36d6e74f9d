import { now } from './engine-sql.ts'
import type { Dataset } from './datasets.ts'
import type { Db, Store, Transaction } from './store.ts'

/**
 * Begins to record checkpoints where that was not begun for some time, by whichever process; returns whether it was
 * begun.
 */
export function claimRecording(store: Store, everyMs: number): Promise<boolean> {
  return store.write(async (transaction) => {
    const claimed = await transaction
      .updateTable('audit_head')
      .set({ recorded_at: now })
      .where((row) => row('recorded_at', '<=', row(now, '-', everyMs)))
      .returning('recorded_at')
      .execute()
    return claimed.length > 0
  })
}

/** Lists the names of repositories that have items beyond the last checkpoint that the audit log has of them. */
export async function listUnrecorded(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('datasets')
    .select('name')
    .where('kind', '=', 'repo')
    .whereRef('next_position', '>', 'recorded_size')
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

/** Notes the size of a checkpoint that is recorded; returns false where a larger one was, or the log is another. */
export async function noteRecorded(
  transaction: Transaction,
  { id, generation, size }: Pick<Dataset, 'id' | 'generation'> & { size: number },
): Promise<boolean> {
  const noted = await transaction
    .updateTable('datasets')
    .set({ recorded_size: size })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('recorded_size', '<', size)
    .returning('id')
    .execute()
  return noted.length > 0
}
