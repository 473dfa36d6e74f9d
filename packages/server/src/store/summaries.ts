import { sql, type Selectable } from 'kysely'
import { rowLock } from './expressions.ts'
import { now } from './engine-sql.ts'
import type { Db, Transaction } from './store.ts'
import type { SummariesTable } from './tables.ts'

/** The dataset that a summary is of, or what is asked of it. */
export type SummaryOwner = { datasetId: number; exploration: string }

type Summary = Omit<Selectable<SummariesTable>, 'kept_at'>

/** A summary without what it takes to go on from it. */
export type SummaryRow = Omit<Summary, 'state'>

/** Summaries of states that are kept beside those that go with a listing. */
const statesMax = 100

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
  transaction: Transaction,
  revision: number,
  row: Summary,
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
    .values({ ...row, kept_at: now })
    .onConflict((conflict) =>
      conflict.columns(['dataset_id', 'exploration']).doUpdateSet({ ...changes, kept_at: now }),
    )
    .execute()
  if (row.exploration !== '' && row.listing_id === null) await dropStates(transaction)
  return true
}

/** Removes the summaries of states that go with no listing, and were made so many milliseconds ago. */
export async function dropIdleStates(transaction: Transaction, idleMs: number) {
  await transaction
    .deleteFrom('summaries')
    .where('exploration', '!=', '')
    .where('listing_id', 'is', null)
    .where(sql<boolean>`kept_at <= ${now} - ${idleMs}`)
    .execute()
}

/** Removes those of them that were made longest ago, where they are too many. */
async function dropStates(transaction: Transaction): Promise<void> {
  const beyond = await transaction
    .selectFrom('summaries')
    .select(['dataset_id', 'exploration'])
    .where('exploration', '!=', '')
    .where('listing_id', 'is', null)
    .orderBy('kept_at', 'desc')
    .limit(1000)
    .offset(statesMax)
    .execute()
  for (const { dataset_id: datasetId, exploration } of beyond) {
    await transaction
      .deleteFrom('summaries')
      .where('dataset_id', '=', datasetId)
      .where('exploration', '=', exploration)
      .execute()
  }
}
