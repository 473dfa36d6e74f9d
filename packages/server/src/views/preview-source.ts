import { readBaseReach, type BaseReach } from '../listings/base-reach.ts'
import type { Sequence } from '../language/sequence.ts'
import { Sights } from '../listings/order-cursor.ts'
import type { Workshop } from './workshop.ts'

/** What a preview looks at: a base as far as it is known. */
export type PreviewSource = BaseReach & {
  /** The last key that counts; null when all do. */
  bound: Uint8Array | null
}

/** Undefined while nothing is known of the base, or not which of it counts. */
export async function readPreviewSource(
  workshop: Workshop,
  base: Sequence,
): Promise<PreviewSource | undefined> {
  const reach = await readBaseReach(workshop.store.reads, base)
  if (reach === undefined || base.kind === 'plain') return reach && { ...reach, bound: null }
  const sight = await new Sights(workshop, base).look()
  if (sight === undefined || sight === 'moving' || !sight.isAtRest) return undefined
  // The listing in use is what reaches there.
  return { ...reach, bound: sight.bound ?? null }
}
