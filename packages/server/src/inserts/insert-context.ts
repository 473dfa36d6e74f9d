import type { Blobs } from '../blobs/blobs.ts'
import type { Store } from '../store/store.ts'

/** What the steps of an insert work with. */
export type Inserting = {
  store: Store
  blobs: Blobs
  /** How long an insert stays open without progress. */
  deadlineMs: number
  /** The most bytes of the values of one upload. */
  maxUploadBytes: number
}
