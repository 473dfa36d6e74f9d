import type { CheckedView } from '@vitrine/contract'
import type { ListingOwner } from '../store/listings.ts'
import type { Definitions } from './definitions.ts'

/**
 * Which items of a repository a dataset has, and in what order. Items are only ever added, so:
 *
 * - a _plain_ sequence is in commit order, and only grows at its end. It is all of the repository, or
 *   what a listing of members keeps, up to a limit.
 * - an _ordered_ sequence is in the order of the sort keys of a listing. Items come in anywhere, and
 *   with bounds, the first N of that listing or of one that it was filtered from, others fall out.
 */
export type Sequence = PlainSequence | OrderedSequence

export type PlainSequence = {
  kind: 'plain'
  repoId: number
  listing: Listing | undefined
  /** Only the first so many; Infinity for all. */
  limit: number
}

export type OrderedSequence = {
  kind: 'ordered'
  repoId: number
  listing: Listing
  /** Each from a listing further from the base than the one before. */
  bounds: readonly Bound[]
}

/** Keys up to that of the item with which a listing, within the bounds before this, has `limit`. */
export type Bound = { listing: Listing; limit: number }

type Clauses = Pick<CheckedView, 'where' | 'split' | 'order'>

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
)

/** Tells owners apart. */
export function ownerKey({ datasetId, exploration }: Omit<ListingOwner, 'orderRevision'>): string {
  return `${datasetId} ${exploration}`
}

export type Excerpt = Extract<Listing, { kind: 'excerpt' }>

/** Finds the sequence of a dataset; each view of its chain adds to that of its base. */
export function sequenceOf(name: string, definitions: Definitions): Sequence {
  const definition = definitions.get(name)
  if (definition.kind === 'repo') {
    return { kind: 'plain', repoId: definition.id, listing: undefined, limit: Infinity }
  }
  const { view, id, orderRevision } = definition
  const { base: baseName } = view.description
  const owner = { datasetId: id, exploration: '', orderRevision }
  return derivedSequence(sequenceOf(baseName, definitions), view, { owner, baseName, definitions })
}

/**
 * Applies clauses to a base. `owner` is the view or exploration that keeps a listing, where one is
 * needed.
 */
export function derivedSequence(
  base: Sequence,
  { where, split, order, limit = Infinity }: Clauses & { limit?: number },
  of: Pick<Listing, 'owner' | 'baseName' | 'definitions'>,
): Sequence {
  const isWhole = where.length === 0 && split === undefined
  if (isWhole && order.length === 0) return limited(base, limit)

  const clauses = { where, order, ...(split && { split }) }
  const { repoId } = base
  const common = { ...of, repoId, clauses }
  if (base.kind === 'plain' && order.length === 0) {
    return { kind: 'plain', repoId, listing: { ...common, kind: 'members', base, limit }, limit }
  }
  const unlimited = { ...common, limit: Infinity }
  if (base.kind === 'ordered' && isCutAnew(base, order)) {
    const listing: Listing = { ...unlimited, kind: 'excerpt', base }
    return limited({ kind: 'ordered', repoId, listing, bounds: [] }, limit)
  }
  const listing: Listing = { ...unlimited, kind: 'order', base }
  // Filtering the first N of an order is the same as filtering all of it and stopping at the N-th.
  const bounds = base.kind === 'ordered' && order.length === 0 ? base.bounds : []
  return limited({ kind: 'ordered', repoId, listing, bounds }, limit)
}

/** A sequence with as many items, without the orders that change nothing of how many there are. */
export function unorderedSequence(sequence: Sequence): Sequence {
  if (sequence.kind === 'plain') return sequence
  const { listing, bounds } = sequence
  const { where, split } = listing.clauses
  if (where.length > 0 || split !== undefined) return sequence
  const limit = Math.min(Infinity, ...bounds.map((bound) => bound.limit))
  return limited(unorderedSequence(listing.base), limit)
}

function isCutAnew({ listing, bounds }: OrderedSequence, order: readonly unknown[]): boolean {
  return listing.kind === 'excerpt' || (bounds.length > 0 && order.length > 0)
}

function limited(sequence: Sequence, limit: number): Sequence {
  if (limit === Infinity) return sequence
  if (sequence.kind === 'plain') return { ...sequence, limit: Math.min(sequence.limit, limit) }
  const bound = { listing: sequence.listing, limit }
  return { ...sequence, bounds: [...sequence.bounds, bound] }
}
