import type { Blobs } from '../blobs/blobs.ts'
import type { Store } from '../store/store.ts'

/** The dependencies of inserts. */
export type InsertContext = {
  store: Store
  blobs: Blobs
  /** How long an insert stays open without progress. */
  deadlineMs: number
  /** The most bytes of the values of one upload. */
  maxUploadBytes: number
}
