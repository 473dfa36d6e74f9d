import { hash } from 'node:crypto'
import type { ListingOwner } from '../store/listings.ts'
import { derivedSequence, limited } from './derive-sequence.ts'
import {
  ownerKey,
  sequenceEnd,
  type Listing,
  type OrderedSequence,
  type Sequence,
} from './sequence.ts'

/**
 * A sequence as it was when its repository had `at` items. One in the order of the repository is a beginning of
 * what it is now. Of an order, items that came later stand anywhere, and what a limit keeps was another: such a
 * state has a listing of its own, which is kept while somebody asks, as an exploration is.
 */
export function stateSequence(sequence: Sequence, at: number | undefined): Sequence {
  if (at === undefined || at >= sequenceEnd(sequence)) return sequence
  if (sequence.kind === 'plain') return { ...sequence, before: at }
  const { listing, repoId } = sequence
  if (!onlyGrows(listing)) return atAnew(sequence, at)
  const { definitions, baseName } = listing
  const state: Listing = {
    kind: 'state',
    owner: stateOwner(sequence, at),
    repoId,
    baseName,
    clauses: { where: [], order: [] },
    definitions,
    limit: Infinity,
    base: { ...sequence, isCurrent: false },
    before: at,
  }
  return { kind: 'ordered', repoId, listing: state, bounds: [], isCurrent: sequence.isCurrent }
}

/** Names the state of what an owner has; '' stands for a dataset itself. */
export function stateKey(exploration: string, at: number, limits: readonly unknown[] = []): string {
  return hash('sha256', JSON.stringify({ at, exploration, limits }))
}

/**
 * Whether a listing has the items of each state of its repository, with keys that stay: it does where nothing
 * below it was cut off in an order.
 */
function onlyGrows({ kind, base }: Listing): boolean {
  if (kind === 'excerpt' || kind === 'state') return false
  return base.listing === undefined || onlyGrows(base.listing)
}

/** Derives a state from the state of the base, whose limits keep other items. */
function atAnew({ listing, bounds, isCurrent }: OrderedSequence, at: number): Sequence {
  let then = derivedAt(listing, at)
  for (const bound of bounds) {
    if (ownerKey(bound.listing.owner) !== ownerKey(listing.owner)) continue
    then = limited({ ...then, isCurrent: bound.isCurrent }, bound.limit)
  }
  return { ...then, isCurrent }
}

function derivedAt(listing: Listing, at: number): Sequence {
  if (listing.kind === 'state') return stateSequence(listing.base, Math.min(at, listing.before))
  const { owner, base, clauses, baseName, definitions } = listing
  return derivedSequence(stateSequence(base, at), clauses, {
    owner: { ...owner, exploration: stateKey(owner.exploration, at) },
    baseName,
    definitions,
  })
}

function stateOwner({ listing, bounds }: OrderedSequence, at: number): ListingOwner {
  const limits = bounds.map(({ listing: bounded, limit, isCurrent }) => [
    ownerKey(bounded.owner),
    limit,
    ...(isCurrent ? ['current'] : []),
  ])
  const { owner } = listing
  return { ...owner, exploration: stateKey(owner.exploration, at, limits) }
}
