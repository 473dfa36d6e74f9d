import type { ScanProgress } from '@vitrine/contract'
import { sql } from 'kysely'
import { fail, type Failure } from '../failure.ts'
import {
  listingColumns,
  toListing,
  type ListingCells,
  type ListingOwner,
  type ListingRow,
} from '../store/listings.ts'
import type { Prepare } from '../store/prepare.ts'
import type { Listing } from '../language/sequence.ts'

/** Progress of the listings of one owner within their repository. */
export type ListingProgress = {
  /** Items of the repository. */
  head: number
  /** The listing that reads use. */
  current: ListingRow | undefined
  /** The listing under construction, the first one or the next one. */
  building: ListingRow | undefined
}

/** Whether a listing can be read and knows of the first `head` items of its repository. */
export function isCaughtUp({ current }: ListingProgress, head: number): boolean {
  return current !== undefined && current.scanned >= head
}

export function notReady(progress: ListingProgress): Failure {
  return fail('VIEW_NOT_READY', { progress: scanProgressOf(progress) })
}

/** Never all of them: a view that has looked at all items may still have to put them in order. */
export function scanProgressOf({ head: total, current, building }: ListingProgress): ScanProgress {
  const { scanned = 0 } = current ?? building ?? {}
  return { scanned: Math.max(0, Math.min(scanned, total - 1)), total }
}

/** Prepares the one query that a read of a view begins with. */
export function prepareListingProgress(
  prepare: Prepare,
): (listing: Listing) => Promise<ListingProgress> {
  const select = prepare<ListingOwner & { repoId: number }, [head: number, ...ListingCells]>(
    (slot) => sql`
      select datasets.next_position as head, ${listingColumns} from datasets
      left join listings on listings.dataset_id = (
          select id from datasets
          where id = ${slot('datasetId')} and order_revision = ${slot('orderRevision')}
        )
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
