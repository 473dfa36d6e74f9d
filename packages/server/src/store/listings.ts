import { type Selectable, sql } from 'kysely'
import { rowLock } from './expressions.ts'
import { createListingTables } from './listing-tables.ts'
import { now } from './engine-sql.ts'
import type { Db, Transaction } from './store.ts'
import type { ListingsTable } from './tables.ts'

/** The listing of a view or an exploration: which items belong to it, and in which order. */
export type ListingRow = Selectable<ListingsTable>

/**
 * A view, or what is asked of a dataset: `exploration` is the digest of that, '' of a view. Who knows it at
 * an earlier `orderRevision` finds no listing, and begins none.
 */
export type ListingOwner = { datasetId: number; exploration: string; orderRevision: number }

/** `scanned` of a listing that nothing will ever be added to, as it has reached its limit. */
export const scannedForGood = Number.MAX_SAFE_INTEGER

/** The listings that can be read or are being built, at most one of each. */
export async function findListings(
  db: Db,
  { datasetId, exploration, orderRevision }: ListingOwner,
): Promise<{ current?: ListingRow; building?: ListingRow }> {
  const rows = await db
    .selectFrom('listings')
    .innerJoin('datasets', 'datasets.id', 'listings.dataset_id')
    .selectAll('listings')
    .where('dataset_id', '=', datasetId)
    .where('exploration', '=', exploration)
    .where('state', '!=', 'dropped')
    .where('order_revision', '=', orderRevision)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.state, row]))
}

const columns = [
  'id',
  'dataset_id',
  'exploration',
  'used_at',
  'kind',
  'state',
  'scanned',
  'count',
  'version',
  'basis',
] as const

/** The columns of a prepared query for listings, which `toListing` reads. */
export const listingColumns = sql.join(columns.map((column) => sql.ref(`listings.${column}`)))

export type ListingCells = (string | number | null)[]

export function toListing(cells: ListingCells): ListingRow {
  const entries = columns.map((column, index) => [column, cells[index]] as const)
  return Object.fromEntries(entries) as ListingRow
}

export function findListing(db: Db, id: number): Promise<ListingRow | undefined> {
  return db.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Finds a listing and locks it until the transaction ends: against changes by others, or with `share` by
 * anyone.
 */
export function lockListing(
  transaction: Transaction,
  id: number,
  strength: 'change' | 'share' = 'change',
): Promise<ListingRow | undefined> {
  return transaction
    .selectFrom('listings')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(rowLock(strength))
    .executeTakeFirst()
}

/**
 * Begins a listing, unless one is being built, or is there where one is asked for that can be read.
 * @returns undefined when the dataset was deleted, or is ordered by other keys by now
 */
export async function createListing(
  transaction: Transaction,
  owner: ListingOwner,
  {
    kind,
    state,
    basis,
  }: {
    kind: ListingRow['kind']
    state: 'building' | 'current'
    basis: string | null
  },
): Promise<ListingRow | undefined> {
  const { datasetId, exploration, orderRevision } = owner
  const dataset = await transaction
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', datasetId)
    .where('order_revision', '=', orderRevision)
    .modifyEnd(rowLock('change'))
    .executeTakeFirst()
  if (dataset === undefined) return undefined
  const { building, current } = await findListings(transaction, owner)
  const listing = building ?? (basis === null ? current : undefined)
  if (listing !== undefined) return listing
  const row = await transaction
    .insertInto('listings')
    .values({
      dataset_id: datasetId,
      exploration,
      ...(exploration !== '' && { used_at: now }),
      kind,
      state,
      basis,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await createListingTables(transaction, kind, row.id)
  return row
}

export async function updateListing(
  transaction: Transaction,
  id: number,
  changes: Partial<Pick<ListingRow, 'state' | 'scanned' | 'count' | 'version'>>,
): Promise<void> {
  await transaction.updateTable('listings').set(changes).where('id', '=', id).execute()
}

/** Leaves a listing to be removed, and removes the summary of its items. */
export async function dropListing(transaction: Transaction, id: number): Promise<void> {
  await updateListing(transaction, id, { state: 'dropped' })
  await transaction.deleteFrom('summaries').where('listing_id', '=', id).execute()
}

/** Removes the summaries of a dataset, and leaves its listings to be removed; also what was asked of it. */
export async function dropListingsOf(transaction: Transaction, datasetId: number): Promise<void> {
  await transaction
    .updateTable('listings')
    .set({ state: 'dropped' })
    .where('dataset_id', '=', datasetId)
    .execute()
  await transaction.deleteFrom('summaries').where('dataset_id', '=', datasetId).execute()
}

/** How many items a repository has. */
export async function readHead(db: Db, repoId: number): Promise<number> {
  const { rows } = await sql<{ head: number }>`
    select next_position as head from datasets where id = ${repoId}`.execute(db)
  return rows[0]?.head ?? 0
}

/** Notes that somebody asks for what an exploration lists. */
export async function touchExploration(
  transaction: Transaction,
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
