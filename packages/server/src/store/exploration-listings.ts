import { sql, type Transaction } from 'kysely'
import type { ListingOwner, ListingRow } from './listings.ts'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { Tables } from './tables.ts'

/** Notes that somebody asks for what an exploration lists. */
export async function touchExploration(
  transaction: Transaction<Tables>,
  { datasetId, exploration }: Pick<ListingOwner, 'datasetId' | 'exploration'>,
): Promise<void> {
  await transaction
    .updateTable('listings')
    .set({ used_at: now })
    .where('dataset_id', '=', datasetId)
    .where('exploration', '=', exploration)
    .where('state', '!=', 'dropped')
    .execute()
}

/** Lists the listings of all explorations, the most recently used first, with their idle time. */
export async function listExplorationListings(
  db: Db,
): Promise<
  (Pick<ListingRow, 'id' | 'dataset_id' | 'exploration' | 'count'> & { idleMs: number })[]
> {
  return db
    .selectFrom('listings')
    .select(['id', 'dataset_id', 'exploration', 'count'])
    .select(sql<number>`${now} - used_at`.as('idleMs'))
    .where('exploration', '!=', '')
    .where('state', '!=', 'dropped')
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
