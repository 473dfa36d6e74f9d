import { readBaseReach, type BaseReach } from '../listings/base-reach.ts'
import type { Sequence } from '../language/sequence.ts'
import { OrderCursors } from '../listings/order-cursor.ts'
import type { ListingContext } from '../listings/listing-context.ts'

/** The base of a preview, as far as it has been listed. */
export type PreviewSource = BaseReach & {
  /** The last key that counts; null when all do. */
  bound: Uint8Array | null
}

/** Undefined while nothing is known of the base, or not which of it counts. */
export async function readPreviewSource(
  listingContext: ListingContext,
  base: Sequence,
): Promise<PreviewSource | undefined> {
  const reach = await readBaseReach(listingContext.store.reads, base)
  if (reach === undefined || base.kind === 'plain') return reach && { ...reach, bound: null }
  const cursor = await new OrderCursors(listingContext, base).look()
  if (cursor === undefined || cursor === 'moving' || !cursor.isAtRest) return undefined
  // The listing in use is what reaches there.
  return { ...reach, bound: cursor.bound ?? null }
}
