import { sql } from 'kysely'
import type { Blobs } from '../../blobs/blobs.ts'
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
    database: () => sql`select 1`.execute(store.reads),
    blobs: () => blobs.ping(),
    provider: checkProvider,
  }
}
