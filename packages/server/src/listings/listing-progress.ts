import { sql } from 'kysely'
import {
  listingColumns,
  toListing,
  type ListingCells,
  type ListingOwner,
  type ListingRow,
} from '../store/listings.ts'
import type { Prepare } from '../store/prepare.ts'
import type { Listing } from '../language/sequence.ts'

/** Where the listings of one owner are, beside the repository that they are of. */
export type Standing = {
  /** Items of the repository. */
  head: number
  /** What can be read. */
  current: ListingRow | undefined
  /** What is being made, the first time or to take its place. */
  building: ListingRow | undefined
}

/** Whether a listing can be read and knows of the first `head` items of its repository. */
export function isCaughtUp({ current }: Standing, head: number): boolean {
  return current !== undefined && current.scanned >= head
}

/** Prepares the one query that a read of a view begins with. */
export function prepareStanding(prepare: Prepare): (listing: Listing) => Promise<Standing> {
  const select = prepare<ListingOwner & { repoId: number }, [head: number, ...ListingCells]>(
    (slot) => sql`
      select datasets.next_position as head, ${listingColumns} from datasets
      left join listings on listings.dataset_id = ${slot('datasetId')}
        and listings.exploration = ${slot('exploration')} and listings.state <> 'dropped'
      where datasets.id = ${slot('repoId')}`,
  )
  return async ({ owner, repoId }) => {
    const rows = await select({ ...owner, repoId })
    const listings = rows.map(([, ...cells]) => toListing(cells))
    return {
      head: rows[0]?.[0] ?? 0,
      current: listings.find(({ state }) => state === 'current'),
      building: listings.find(({ state }) => state === 'building'),
    }
  }
}
