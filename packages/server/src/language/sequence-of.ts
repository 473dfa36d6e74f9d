import type { CheckedView } from '@vitrine/contract'
import type { Definitions } from './definitions.ts'
import { derivedSequence, limited } from './derive-sequence.ts'
import type { Bound, Listing, Sequence } from './sequence.ts'
import { stateSequence } from './state-sequence.ts'

/** Finds the sequence of a dataset; each view of its chain adds to that of its base. */
export function sequenceOf(name: string, definitions: Definitions): Sequence {
  const definition = definitions.get(name)
  if (definition.kind === 'repo') {
    const { id: repoId } = definition
    return {
      kind: 'plain',
      repoId,
      listing: undefined,
      limit: Infinity,
      before: Infinity,
      isCurrent: false,
    }
  }
  const { view, id, orderRevision } = definition
  const owner = { datasetId: id, exploration: '', orderRevision }
  const of = { owner, baseName: view.base.name, definitions }
  return derivedSequence(baseSequence(view, definitions), view, of)
}

/** The sequence of the base of a view, or of the state of it that the view is on. */
export function baseSequence(
  { base }: Pick<CheckedView, 'base'>,
  definitions: Definitions,
): Sequence {
  return stateSequence(sequenceOf(base.name, definitions), base.at)
}

/** A sequence with as many items, without the orders that change nothing of how many there are. */
export function unorderedSequence(sequence: Sequence): Sequence {
  // Which of the items within a bound are current depends on their order.
  if (sequence.isCurrent) return withoutOrder(sequence)
  if (sequence.kind === 'plain') return sequence
  const { listing, bounds } = sequence
  if (listing.kind === 'state') {
    const { base, before } = listing
    const unordered = unorderedSequence(base)
    // Another order would need a listing for its state, only to be counted.
    return unordered.kind === 'plain' ? cut(stateSequence(unordered, before), bounds) : sequence
  }
  const { where, split } = listing.clauses
  if (where.length > 0 || split !== undefined) return sequence
  return cut(unorderedSequence(listing.base), bounds)
}

/** A sequence of the same items, without the orders that let none fall out. */
export function withoutOrder(sequence: Sequence): Sequence {
  if (sequence.kind === 'plain' || sequence.bounds.length > 0) return sequence
  const { listing, isCurrent } = sequence
  const all = withoutOrderOf(listing)
  return all === undefined ? sequence : { ...all, isCurrent: isCurrent || all.isCurrent }
}

/** Returns a sequence of the items of a listing without its order; undefined where it has other items than its base. */
function withoutOrderOf(listing: Listing): Sequence | undefined {
  if (listing.kind === 'state') {
    const unordered = withoutOrder(listing.base)
    return unordered.kind === 'plain' ? stateSequence(unordered, listing.before) : undefined
  }
  const { base, clauses } = listing
  const isWhole = clauses.where.length === 0 && clauses.split === undefined
  return isWhole ? withoutOrder(base) : undefined
}

function cut(sequence: Sequence, bounds: readonly Bound[]): Sequence {
  return limited(sequence, Math.min(Infinity, ...bounds.map((bound) => bound.limit)))
}
