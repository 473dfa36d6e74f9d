import type { CheckedView } from '@vitrine/contract'
import type { ListingOwner } from '../store/listings.ts'
import type { Definitions } from './definitions.ts'

/**
 * Items of a repository that a dataset has, and their order. Items are only ever added, so:
 *
 * - a _plain_ sequence is in commit order, and only grows at its end. It is all of the repository, or
 *   what a listing of members keeps, up to a limit.
 * - an _ordered_ sequence is in the order of the sort keys of a listing. Items come in anywhere, and
 *   with bounds, the first N of that listing or of one that it was filtered from, others fall out.
 *
 * Of a _current_ one the items are left out that another one replaces, or that withdraw another: they fall out wherever
 * they stand, and it is read from a listing of all items.
 */
export type Sequence = PlainSequence | OrderedSequence

export type PlainSequence = {
  kind: 'plain'
  repoId: number
  listing: Listing | undefined
  /** Only the first so many, current or not; Infinity for all. */
  limit: number
  /** Only those at positions of the repository before this; Infinity for all. */
  before: number
  isCurrent: boolean
}

export type OrderedSequence = {
  kind: 'ordered'
  repoId: number
  listing: Listing
  /** Each from a listing further from the base than the one before. */
  bounds: readonly Bound[]
  isCurrent: boolean
}

/** Keys up to that of the item with which a listing, within the bounds before this, has `limit`, or `limit` current ones. */
export type Bound = { listing: Listing; limit: number; isCurrent: boolean }

export type Clauses = Pick<CheckedView, 'where' | 'split' | 'order'>

/** The listing that a view or an exploration keeps so that no read evaluates it again. */
export type Listing = {
  owner: ListingOwner
  repoId: number
  /** The dataset whose names the clauses use. */
  baseName: string
  clauses: Clauses
  definitions: Definitions
  /** Members beyond these are never asked for. */
  limit: number
} & (
  | { kind: 'members' | 'order'; base: Sequence }
  /** The first N of an order, put in another order: not one that only grows with its base. */
  | { kind: 'excerpt'; base: OrderedSequence }
  /** An order as it was when the repository had `before` items, which never becomes another. */
  | { kind: 'state'; base: OrderedSequence; before: number }
)

/** Position of the repository that all items of a sequence stand before; Infinity where nothing bounds it. */
export function sequenceEnd(sequence: Sequence): number {
  const { listing } = sequence
  const before = sequence.kind === 'plain' ? sequence.before : Infinity
  if (listing === undefined) return before
  return Math.min(before, listing.kind === 'state' ? listing.before : sequenceEnd(listing.base))
}

/** Tells owners apart. */
export function ownerKey({ datasetId, exploration }: Omit<ListingOwner, 'orderRevision'>): string {
  return `${datasetId} ${exploration}`
}

export type Excerpt = Extract<Listing, { kind: 'excerpt' }>
export type StateListing = Extract<Listing, { kind: 'state' }>
