import type { Clauses, Listing, OrderedSequence, Sequence } from './sequence.ts'

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
    const listing: Listing = { ...common, kind: 'members', base, limit }
    return { kind: 'plain', repoId, listing, limit, before: Infinity, isCurrent: false }
  }
  const unlimited = { ...common, limit: Infinity }
  if (base.kind === 'ordered' && isCutAnew(base, order)) {
    const listing: Listing = { ...unlimited, kind: 'excerpt', base }
    return limited({ kind: 'ordered', repoId, listing, bounds: [], isCurrent: false }, limit)
  }
  const listing: Listing = { ...unlimited, kind: 'order', base }
  // Filtering the first N of an order is the same as filtering all of it and stopping at the N-th.
  const bounds = base.kind === 'ordered' && order.length === 0 ? base.bounds : []
  return limited({ kind: 'ordered', repoId, listing, bounds, isCurrent: false }, limit)
}

function isCutAnew({ listing, bounds }: OrderedSequence, order: readonly unknown[]): boolean {
  return listing.kind === 'excerpt' || (bounds.length > 0 && order.length > 0)
}

/** The first so many of a sequence. */
export function limited(sequence: Sequence, limit: number): Sequence {
  if (limit === Infinity) return sequence
  if (sequence.kind === 'plain') return { ...sequence, limit: Math.min(sequence.limit, limit) }
  const bound = { listing: sequence.listing, limit }
  return { ...sequence, bounds: [...sequence.bounds, bound] }
}
