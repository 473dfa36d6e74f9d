import { sql, type Selectable, type Transaction } from 'kysely'
import { rowLock } from './expressions.ts'
import { createListingTables } from './listing-tables.ts'
import { now } from './now.ts'
import type { Db } from './store.ts'
import type { ListingsTable, Tables } from './tables.ts'

type Write = Transaction<Tables>

/** What is kept of which items belong to a view or an exploration. */
export type ListingRow = Selectable<ListingsTable>

/** A view, or what is asked of a dataset: `exploration` is the digest of that, '' of a view. */
export type ListingOwner = { datasetId: number; exploration: string }

/** `scanned` of a listing that nothing will ever be added to, as it has reached its limit. */
export const scannedForGood = Number.MAX_SAFE_INTEGER

/** The listings that can be read or are being built, at most one of each. */
export async function findListings(
  db: Db,
  { datasetId, exploration }: ListingOwner,
): Promise<{ current?: ListingRow; building?: ListingRow }> {
  const rows = await db
    .selectFrom('listings')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .where('exploration', '=', exploration)
    .where('state', '!=', 'dropped')
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

/** The same, and nobody else changes it before this transaction is over; with `share`, not even this one. */
export function lockListing(
  transaction: Write,
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
 * @returns undefined when the dataset was deleted
 */
export async function createListing(
  transaction: Write,
  { datasetId, exploration }: ListingOwner,
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
  const dataset = await transaction
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', datasetId)
    .modifyEnd(rowLock('change'))
    .executeTakeFirst()
  if (dataset === undefined) return undefined
  const { building, current } = await findListings(transaction, { datasetId, exploration })
  const known = building ?? (basis === null ? current : undefined)
  if (known !== undefined) return known
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
  transaction: Write,
  id: number,
  changes: Partial<Pick<ListingRow, 'state' | 'scanned' | 'count' | 'version'>>,
): Promise<void> {
  await transaction.updateTable('listings').set(changes).where('id', '=', id).execute()
}

/** Leaves a listing to be removed. */
export async function dropListing(transaction: Write, id: number): Promise<void> {
  await updateListing(transaction, id, { state: 'dropped' })
}

/** Leaves all that is kept for a dataset to be removed, and for what was asked of it. */
export async function dropListingsOf(transaction: Write, datasetId: number): Promise<void> {
  await transaction
    .updateTable('listings')
    .set({ state: 'dropped' })
    .where('dataset_id', '=', datasetId)
    .execute()
}

/** How many items a repository has. */
export async function readHead(db: Db, repoId: number): Promise<number> {
  const { rows } = await sql<{ head: number }>`
    select next_position as head from datasets where id = ${repoId}`.execute(db)
  return rows[0]?.head ?? 0
}
