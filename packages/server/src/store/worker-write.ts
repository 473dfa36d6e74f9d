import type { RawBuilder } from 'kysely'

/**
 * Statements of one transaction that runs apart from the event loop. The memory of bytes among their
 * parameters may be handed to another thread.
 */
export type WorkerWrite = {
  /** A change that comes first; where it changes no row, nothing of the rest is done. */
  claim: RawBuilder<unknown>
  statements: readonly RawBuilder<unknown>[]
}
