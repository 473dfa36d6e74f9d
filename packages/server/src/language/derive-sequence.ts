import type { Clauses, Listing, OrderedSequence, Sequence } from './sequence.ts'

/**
 * Applies clauses to a base. `owner` is the view or exploration that keeps a listing, where one is
 * needed. A listing has what is not current as well, which is left out when items are read.
 */
export function derivedSequence(
  on: Sequence,
  {
    where,
    split,
    order,
    limit = Infinity,
    current = false,
  }: Clauses & { limit?: number; current?: boolean },
  of: Pick<Listing, 'owner' | 'baseName' | 'definitions'>,
): Sequence {
  const base: Sequence = { ...on, isCurrent: false }
  const isCurrent = on.isCurrent || current
  // Nothing in the order of a repository says where the first so many current items end.
  const isRanked = order.length > 0 || (base.kind === 'plain' && isCurrent && limit < Infinity)
  const isWhole = where.length === 0 && split === undefined
  if (isWhole && !isRanked) return limited({ ...base, isCurrent }, limit)

  const clauses = { where, order, ...(split && { split }) }
  const { repoId } = base
  const common = { ...of, repoId, clauses }
  if (base.kind === 'plain' && !isRanked) {
    const listing: Listing = { ...common, kind: 'members', base, limit }
    return { kind: 'plain', repoId, listing, limit, before: Infinity, isCurrent }
  }
  const unlimited = { ...common, limit: Infinity }
  if (base.kind === 'ordered' && isCutAnew(base, order)) {
    const listing: Listing = { ...unlimited, kind: 'excerpt', base }
    return limited({ kind: 'ordered', repoId, listing, bounds: [], isCurrent }, limit)
  }
  const listing: Listing = { ...unlimited, kind: 'order', base }
  // Filtering the first N of an order is the same as filtering all of it and stopping at the N-th.
  const bounds = base.kind === 'ordered' && order.length === 0 ? base.bounds : []
  return limited({ kind: 'ordered', repoId, listing, bounds, isCurrent }, limit)
}

function isCutAnew({ listing, bounds }: OrderedSequence, order: readonly unknown[]): boolean {
  return listing.kind === 'excerpt' || (bounds.length > 0 && order.length > 0)
}

/** The first so many of a sequence; of a plain one, current or not. */
export function limited(sequence: Sequence, limit: number): Sequence {
  if (limit === Infinity) return sequence
  if (sequence.kind === 'plain') return { ...sequence, limit: Math.min(sequence.limit, limit) }
  const { listing, bounds, isCurrent } = sequence
  return { ...sequence, bounds: [...bounds, { listing, limit, isCurrent }] }
}
