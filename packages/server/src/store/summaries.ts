import type { Selectable, Transaction } from 'kysely'
import { rowLock } from './expressions.ts'
import type { Db } from './store.ts'
import type { SummariesTable, Tables } from './tables.ts'

/** The dataset that a summary is of, or what is asked of it. */
export type SummaryOwner = { datasetId: number; exploration: string }

/** A summary without what it takes to go on from it. */
export type SummaryRow = Omit<Selectable<SummariesTable>, 'state'>

const columns = ['listing_id', 'basis', 'fields', 'scanned', 'items', 'summary'] as const

export function findSummary(
  db: Db,
  { datasetId, exploration }: SummaryOwner,
): Promise<Pick<SummaryRow, (typeof columns)[number]> | undefined> {
  return db
    .selectFrom('summaries')
    .select(columns)
    .where('dataset_id', '=', datasetId)
    .where('exploration', '=', exploration)
    .executeTakeFirst()
}

export async function readSummaryState(
  db: Db,
  { datasetId, exploration }: SummaryOwner,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('summaries')
    .select('state')
    .where('dataset_id', '=', datasetId)
    .where('exploration', '=', exploration)
    .executeTakeFirst()
  return row?.state
}

/**
 * Keeps a summary in place of the one before.
 * @returns false where its dataset has another revision by now, or what it was read from was dropped
 */
export async function keepSummary(
  transaction: Transaction<Tables>,
  revision: number,
  row: Selectable<SummariesTable>,
): Promise<boolean> {
  const dataset = await transaction
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', row.dataset_id)
    .where('revision', '=', revision)
    .modifyEnd(rowLock('share'))
    .executeTakeFirst()
  if (dataset === undefined) return false
  if (row.listing_id !== null) {
    const listing = await transaction
      .selectFrom('listings')
      .select('id')
      .where('id', '=', row.listing_id)
      .where('state', '!=', 'dropped')
      .modifyEnd(rowLock('share'))
      .executeTakeFirst()
    if (listing === undefined) return false
  }
  const { dataset_id: _, exploration: __, ...changes } = row
  await transaction
    .insertInto('summaries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['dataset_id', 'exploration']).doUpdateSet(changes))
    .execute()
  return true
}
