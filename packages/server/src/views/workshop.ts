import type { Store } from '../store/store.ts'
import type { ExplorationBounds } from '../listings/sweep-explorations.ts'
import { Fills } from '../listings/fill-listing.ts'
import { Lane } from '../listings/serial-queue.ts'
import { OrderIndexes } from '../listings/order-index.ts'
import type { OrderedSequence } from '../language/sequence.ts'
import { Sights } from '../listings/order-cursor.ts'
import type { Sizes } from '../listings/sizes.ts'

/** What working on listings takes; one of each in a process. */
export type Workshop = {
  store: Store
  sizes: Sizes
  explorationBounds: ExplorationBounds
  lane: Lane
  fills: Fills
  indexes: OrderIndexes
  sightsOf: (sequence: OrderedSequence) => Sights
  /** Called when a listing was replaced, and the old one is to be removed. */
  onDropped: () => void
}

export function openWorkshop(
  store: Store,
  { sizes, explorationBounds }: Pick<Workshop, 'sizes' | 'explorationBounds'>,
): Workshop {
  const parts = { store, indexes: new OrderIndexes(store) }
  const sights = new WeakMap<OrderedSequence, Sights>()
  return {
    ...parts,
    sizes,
    explorationBounds,
    lane: new Lane(store, sizes),
    fills: new Fills(store.reads),
    sightsOf: (sequence) => {
      const known = sights.get(sequence) ?? new Sights(parts, sequence)
      sights.set(sequence, known)
      return known
    },
    onDropped: () => undefined,
  }
}
