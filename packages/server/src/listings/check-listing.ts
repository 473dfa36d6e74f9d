import { sql } from 'kysely'
import type { Listing } from '../language/sequence.ts'
import { integer } from '../store/engine-sql.ts'
import { keysTable, membersTable, orderTable } from '../store/listing-tables.ts'
import { findListing, findListings, scannedForGood, type ListingRow } from '../store/listings.ts'
import type { Db, Store } from '../store/store.ts'
import { readBaseReach } from './base-reach.ts'
import { parseBasis } from './basis.ts'
import { listingSql } from './fill-listing.ts'

/** Chooses which windows of `size` of some number of rows are compared. */
export type Windows = (count: number, size: number) => Iterable<{ from: number; to: number }>

/** Amounts compared at once, in some ten milliseconds: positions of a repository, and blocks of an order. */
const windowSize = { positions: 4096, blocks: 16 }

type Source = { listingId: number | undefined; upTo: number; bound: Uint8Array | null }

/**
 * Compares a listing with what its clauses keep of its base, a window at a time.
 * @yields a sentence for a fault, and undefined after each window without one
 */
export async function* checkListing(
  store: Store,
  listing: Listing,
  windows: Windows,
): AsyncGenerator<string | undefined> {
  const { reads: db } = store
  const { current: row } = await findListings(db, listing.owner)
  const source = row && (await findSource(db, listing, row))
  if (row === undefined || source === undefined) return
  try {
    for await (const fault of compare(store, listing, { row, source, windows })) {
      if (fault !== undefined && !(await areInUse(db, [row.id, source.listingId]))) return
      yield fault
    }
  } catch (error) {
    if (await areInUse(db, [row.id, source.listingId])) throw error
  }
}

/** Whether some listings are still read: one that was replaced meanwhile is emptied, and removed. */
async function areInUse(db: Db, ids: readonly (number | undefined)[]): Promise<boolean> {
  for (const id of ids) {
    if (id === undefined) continue
    const row = await findListing(db, id)
    if (row === undefined || row.state === 'dropped') return false
  }
  return true
}

async function* compare(
  store: Store,
  listing: Listing,
  { row, source, windows }: { row: ListingRow; source: Source; windows: Windows },
): AsyncGenerator<string | undefined> {
  const { reads: db } = store
  const end = await endOf(db, listing, { row, source })
  for (const window of windows(end, windowSize.positions)) {
    const differing = await firstDifference(store, listing, { row, source, window })
    yield differing === undefined
      ? undefined
      : `its listing is not what its description keeps, from the ${differing + 1}. item of the repository on`
  }
  if (listing.kind === 'members') yield* checkMembers(db, row, { windows, end })
  else yield* checkOrder(db, row, windows)
}

/** Returns the part of the base that a listing was made of; undefined where that is gone, or made again. */
async function findSource(db: Db, listing: Listing, row: ListingRow): Promise<Source | undefined> {
  if (row.basis === null) {
    const reach = await readBaseReach(db, listing.base)
    return reach && { ...reach, bound: null }
  }
  const { listingId, upTo, bound } = parseBasis(row)
  const base = await findListing(db, listingId)
  if (base?.state !== 'current') return undefined
  return { listingId, upTo, bound: bound === null ? null : Buffer.from(bound, 'hex') }
}

/** Returns the position before which all items of the repository were looked at. */
async function endOf(
  db: Db,
  { kind, limit }: Listing,
  { row, source }: { row: ListingRow; source: Source },
): Promise<number> {
  if (row.scanned !== scannedForGood || row.count < limit) {
    return Math.min(row.scanned, source.upTo)
  }
  const table = kind === 'members' ? membersTable(row.id) : keysTable(row.id)
  const { rows } = await sql<{ last: number | null }>`
    select max(root) as last from ${table}`.execute(db)
  return (rows[0]?.last ?? -1) + 1
}

/** Returns the first position of the repository where a listing has another item, or another key. */
async function firstDifference(
  { prepareInWorker }: Store,
  listing: Listing,
  {
    row,
    source: { listingId, bound },
    window: { from, to },
  }: { row: ListingRow; source: Source; window: { from: number; to: number } },
): Promise<number | undefined> {
  const { root, sortKey, rows } = listingSql(listing, listingId)
  const inWindow = rows({ from: sql`${from}`, to: sql`${to}`, bound: sql`${bound}` })
  const [expected, listed] =
    listing.kind === 'members'
      ? [sql`select ${root} as root ${inWindow}`, sql`select root from ${membersTable(row.id)}`]
      : [
          sql`select ${root} as root, ${sortKey} as key ${inWindow}`,
          sql`select root, key from ${keysTable(row.id)}`,
        ]
  const find = prepareInWorker<object, [first: number | null]>(
    () => sql`
    with expected as (${expected}),
      listed as (${listed} where root >= ${from} and root < ${to})
    select min(root) as first from (
      select root from (select * from expected except select * from listed) as missing
      union all
      select root from (select * from listed except select * from expected) as surplus
    ) as differing`,
  )
  const [difference] = await find({})
  return difference?.[0] ?? undefined
}

/** Checks that the positions of members are dense and in the order of the repository. */
async function* checkMembers(
  db: Db,
  { id }: ListingRow,
  { windows, end }: { windows: Windows; end: number },
): AsyncGenerator<string | undefined> {
  const table = membersTable(id)
  for (const { from, to } of windows(end, windowSize.positions)) {
    const { rows } = await sql<{ first: number | null }>`
      select min(root) as first from (
        select root, position - row_number() over (order by root) + 1 as start from ${table}
        where root >= ${from} and root < ${to}
      ) as numbered
      where start <> coalesce(
        (select position + 1 from ${table} where root < ${from} order by root desc limit 1), 0
      )`.execute(db)
    yield (rows[0]?.first ?? null) === null
      ? undefined
      : `its listing numbers its items otherwise, from the ${rows[0]!.first! + 1}. item of the repository on`
  }
}

/** Checks that an order has the keys of its listing, as many in each block as are counted. */
async function* checkOrder(
  db: Db,
  { id }: ListingRow,
  windows: Windows,
): AsyncGenerator<string | undefined> {
  // One statement sees one moment: items may come in meanwhile.
  const counts = await sql<{ count: number; counted: number; blocks: number }>`
    select count,
      (select cast(coalesce(sum(count), 0) as ${integer}) from listing_blocks
        where listing_id = ${id}) as counted,
      (select count(*) from listing_blocks where listing_id = ${id}) as blocks
    from listings where id = ${id} and state = 'current'`.execute(db)
  const [row] = counts.rows
  if (row === undefined) return
  yield row.counted === row.count ? undefined : 'the blocks of its order miscount it'
  for (const { from, to } of windows(row.blocks, windowSize.blocks)) {
    const { rows } = await sql<{ wrong: number }>`
      with block as (
        select first_key, count, lead(first_key) over (order by first_key) as next_key
        from listing_blocks where listing_id = ${id}
        order by first_key limit ${to - from} offset ${from}
      )
      select count(*) as wrong from block where count <> (
        select count(*) from ${orderTable(id)} as o join ${keysTable(id)} as k
          on k.root = o.root and k.key = o.key
        where o.key >= block.first_key and (block.next_key is null or o.key < block.next_key)
      )`.execute(db)
    yield rows[0]?.wrong === 0 ? undefined : 'its order is not that of its keys'
  }
}
