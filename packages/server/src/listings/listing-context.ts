import type { Store } from '../store/store.ts'
import type { ExplorationBounds } from './sweep-explorations.ts'
import { EarlySorts } from './early-sorts.ts'
import { Fills } from './fill-listing.ts'
import { SerialQueue } from './serial-queue.ts'
import { OrderIndexes } from './order-index.ts'
import type { OrderedSequence } from '../language/sequence.ts'
import { OrderCursors } from './order-cursor.ts'
import { SupersededItems } from './superseded-items.ts'
import type { Sizes } from './sizes.ts'

/** The dependencies of work on listings; one of each in a process. */
export type ListingContext = {
  store: Store
  sizes: Sizes
  explorationBounds: ExplorationBounds
  queue: SerialQueue
  fills: Fills
  earlySorts: EarlySorts
  indexes: OrderIndexes
  superseded: SupersededItems
  cursorsOf: (sequence: OrderedSequence) => OrderCursors
  /** Called when a listing was replaced, and the old one is to be removed. */
  onDropped: () => void
}

export function openListingContext(
  store: Store,
  { sizes, explorationBounds }: Pick<ListingContext, 'sizes' | 'explorationBounds'>,
): ListingContext {
  const parts = {
    store,
    indexes: new OrderIndexes(store),
    superseded: new SupersededItems(store),
  }
  const cursors = new WeakMap<OrderedSequence, OrderCursors>()
  return {
    ...parts,
    sizes,
    explorationBounds,
    queue: new SerialQueue(store, sizes),
    fills: new Fills(store),
    earlySorts: new EarlySorts(store, sizes),
    cursorsOf: (sequence) => {
      const cached = cursors.get(sequence) ?? new OrderCursors(parts, sequence)
      cursors.set(sequence, cached)
      return cached
    },
    onDropped: () => undefined,
  }
}
