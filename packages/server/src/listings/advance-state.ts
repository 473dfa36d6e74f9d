import { sql } from 'kysely'
import {
  createListing,
  findListings,
  lockListing,
  scannedForGood,
  type ListingRow,
} from '../store/listings.ts'
import { orderTable } from '../store/listing-tables.ts'
import { isSuperseded } from '../store/superseded.ts'
import type { Listing, StateListing } from '../language/sequence.ts'
import { buildFromBasis, type Basis } from './basis.ts'
import type { ListingContext } from './listing-context.ts'

/**
 * Takes one step in making the state of an order, from listings that have looked at all items that the repository had
 * then: of their keys those of these items count, up to where limits cut them off.
 * @returns whether there is more to do; false also when the dataset was deleted
 */
export async function advanceState(
  listingContext: ListingContext,
  listing: StateListing,
): Promise<boolean> {
  const { store, queue } = listingContext
  const { current, building } = await findListings(store.reads, listing.owner)
  if (current !== undefined) return false
  if (building !== undefined) return buildFromBasis(listingContext, listing, building)

  const { base, before } = listing
  const source = await currentOf(listingContext, base.listing)
  if (source === undefined) return false
  const cuts: { row: ListingRow; limit: number; isCurrent: boolean }[] = []
  for (const { listing: bounded, ...cut } of base.bounds) {
    const row = await currentOf(listingContext, bounded)
    if (row === undefined) return false
    cuts.push({ row, ...cut })
  }
  let bound: Uint8Array | undefined
  const { repoId } = listing
  for (const { row, ...cut } of cuts) {
    const mayCut = row.count >= cut.limit
    const key = mayCut ? await keyAt(listingContext, row, { repoId, before, ...cut }) : undefined
    if (key !== undefined && (bound === undefined || Buffer.compare(key, bound) < 0)) bound = key
  }
  const basis: Basis = {
    listingId: source.id,
    upTo: before,
    scanned: scannedForGood,
    bound: bound === undefined ? null : Buffer.from(bound).toString('hex'),
    count: null,
  }
  const begun = await queue.inTurn(async (transaction) => {
    // One that was let go may have been read when it was half empty.
    for (const { id } of [source, ...cuts.map(({ row }) => row)]) {
      if ((await lockListing(transaction, id, 'share'))?.state !== 'current') return undefined
    }
    return createListing(transaction, listing.owner, {
      kind: 'order',
      state: 'building',
      basis: JSON.stringify(basis),
    })
  })
  return begun !== undefined
}

async function currentOf({ store }: ListingContext, { owner }: Listing) {
  return (await findListings(store.reads, owner)).current
}

/** The key with which a listing had `limit` items, or current ones; undefined where it had fewer. It may be far along. */
async function keyAt(
  { store }: ListingContext,
  { id }: ListingRow,
  {
    repoId,
    limit,
    before,
    isCurrent,
  }: { repoId: number; limit: number; before: number; isCurrent: boolean },
): Promise<Uint8Array | undefined> {
  const holds = isCurrent
    ? sql`and not ${isSuperseded(repoId, sql.ref('root'), sql`${before}`)}`
    : sql``
  const select = store.prepareInWorker<{ offset: number }, [key: Uint8Array]>(
    (slot) => sql`
      select key from ${orderTable(id)} where root < ${before} ${holds}
      order by key limit 1 offset ${slot('offset')}`,
  )
  return (await select({ offset: limit - 1 }))[0]?.[0]
}
