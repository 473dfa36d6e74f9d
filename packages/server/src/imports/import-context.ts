import type { Blobs } from '../blobs/blobs.ts'
import type { Store } from '../store/store.ts'
import type { CheckThreads } from './check-threads.ts'
import type { Datasets } from '../views/datasets.ts'

/** What imports work with. */
export type Importing = {
  store: Store
  blobs: Blobs
  datasets: Datasets
  threads: CheckThreads
  /** The most bytes of one file, and of one file in an archive. */
  maxBytes: number
}
