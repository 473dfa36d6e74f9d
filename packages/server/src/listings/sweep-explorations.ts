import { type ListingOwner, dropListing, listExplorationListings } from '../store/listings.ts'
import { dropIdleStates } from '../store/summaries.ts'
import type { ListingContext } from './listing-context.ts'
import type { Transaction } from '../store/store.ts'

/**
 * How much is kept for explorations at most, in listings and in their rows. Beyond it, what was asked
 * for longest ago is let go, and made again when somebody asks.
 */
export type ExplorationBounds = { listings: number; rows: number }

export const usualExplorationBounds: ExplorationBounds = { listings: 100, rows: 20_000_000 }

/** Keeps explorations within their bounds; the one that is worked on stays, whatever its size. */
export async function boundExplorations(
  listingContext: ListingContext,
  workedOn: ListingOwner,
): Promise<void> {
  const { store, explorationBounds: bounds } = listingContext
  const all = await listExplorationListings(store.reads)
  const [own, others] = [true, false].map((isOwn) =>
    all.filter(
      ({ dataset_id: id, exploration }) =>
        isOwn === (id === workedOn.datasetId && exploration === workedOn.exploration),
    ),
  ) as [typeof all, typeof all]
  let listings = own.length
  let rows = own.reduce((sum, { count }) => sum + count, 0)
  const beyond = others.filter(({ count }) => {
    listings += 1
    rows += count
    return listings > bounds.listings || rows > bounds.rows
  })
  await drop(listingContext, beyond)
}

/** Drops explorations that were not used for so many milliseconds, and summaries of states that are as old. */
export async function dropIdleExplorations(
  listingContext: ListingContext,
  idleMs: number,
): Promise<void> {
  const { store } = listingContext
  const listings = await listExplorationListings(store.reads)
  await drop(
    listingContext,
    listings.filter((listing) => listing.idleMs >= idleMs),
  )
  await store.write((transaction) => dropIdleStates(transaction, idleMs), { derived: true })
}

async function drop(
  { store, onDropped }: ListingContext,
  listings: readonly { id: number }[],
): Promise<void> {
  if (listings.length === 0) return
  const write = async (transaction: Transaction) => {
    for (const { id } of listings) await dropListing(transaction, id)
  }
  await store.write(write, { derived: true })
  onDropped()
}
