import { usualSnapshotBounds } from '../src/exports/snapshot-files.ts'
import { usualBounds } from '../src/http/shed-load.ts'
import type { StartOptions } from '../src/start.ts'

/**
 * A server shares its event loop with a test, and the machine with others: that these are slow is no
 * load, and nothing is answered before all of it is known. Nobody needs what the scrub leaves others by resting.
 */
export const patient: StartOptions = {
  loadBounds: { ...usualBounds, lag: Infinity },
  viewBudgets: { partial: 150_000, whole: 150_000, preview: 150_000, background: 150_000 },
  snapshotBounds: { ...usualSnapshotBounds, waitMs: 150_000 },
  scrubRestShare: 0,
}
