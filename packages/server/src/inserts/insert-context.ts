import type { Blobs } from '../blobs/blobs.ts'
import type { ItemIds } from '../store/item-ids.ts'
import type { Store } from '../store/store.ts'
import type { KnownRepos } from './known-repos.ts'

/** The dependencies of inserts. */
export type InsertContext = {
  store: Store
  blobs: Blobs
  repos: KnownRepos
  itemIds: ItemIds
  /** How long an insert stays open without progress. */
  deadlineMs: number
  /** The most bytes of the values of one upload. */
  maxUploadBytes: number
}
