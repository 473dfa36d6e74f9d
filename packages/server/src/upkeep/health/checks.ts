import type { Blobs } from '../../blobs/blobs.ts'
import { ping } from '../../store/installation.ts'
import type { Store } from '../../store/store.ts'

/** The parts that a server depends on. */
export type Part = 'database' | 'blobs' | 'provider'

/** Ways to ask each part whether it can be used now; they reject with the reason when it cannot. */
export type Checks = Record<Part, () => Promise<unknown>>

/** The checks of an installation; `checkProvider` is of its authority (`access/authority.ts`). */
export function healthChecks({
  store,
  blobs,
  checkProvider,
}: {
  store: Store
  blobs: Blobs
  checkProvider: () => Promise<unknown>
}): Checks {
  return {
    database: () => ping(store.reads),
    blobs: () => blobs.ping(),
    provider: checkProvider,
  }
}
