import { sql, type Selectable, type Transaction } from 'kysely'
import { createListingTables } from './listing-tables.ts'
import type { Db } from './store.ts'
import type { ListingsTable, Tables } from './tables.ts'

type Write = Transaction<Tables>

/** What a view keeps of which items belong to it. */
export type ListingRow = Selectable<ListingsTable>

/** `scanned` of a listing that nothing will ever be added to, as it has reached its limit. */
export const scannedForGood = Number.MAX_SAFE_INTEGER

/** The listings of views that can be read or are being built, at most one of each. */
export async function findListings(
  db: Db,
  viewId: number,
): Promise<{ current?: ListingRow; building?: ListingRow }> {
  const rows = await db
    .selectFrom('listings')
    .selectAll()
    .where('view_id', '=', viewId)
    .where('state', '!=', 'dropped')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.state, row]))
}

const columns = ['id', 'view_id', 'kind', 'state', 'scanned', 'count', 'version', 'basis'] as const

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

/** Begins a listing of a view; undefined when the view was deleted. */
export async function createListing(
  transaction: Write,
  {
    viewId,
    kind,
    state,
    basis,
  }: {
    viewId: number
    kind: ListingRow['kind']
    state: 'building' | 'current'
    basis: string | null
  },
): Promise<ListingRow | undefined> {
  const view = await transaction
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', viewId)
    .executeTakeFirst()
  if (view === undefined) return undefined
  const row = await transaction
    .insertInto('listings')
    .values({ view_id: viewId, kind, state, basis })
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

/** Leaves all that a view keeps to be removed. */
export async function dropListingsOf(transaction: Write, viewId: number): Promise<void> {
  await transaction
    .updateTable('listings')
    .set({ state: 'dropped' })
    .where('view_id', '=', viewId)
    .execute()
}

/** How many items a repository has. */
export async function readHead(db: Db, repoId: number): Promise<number> {
  const { rows } = await sql<{ head: number }>`
    select next_position as head from datasets where id = ${repoId}`.execute(db)
  return rows[0]?.head ?? 0
}
