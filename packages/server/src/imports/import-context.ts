// Runs on the main thread.

import type { Blobs } from '../blobs/blobs.ts'
import type { ImportRow } from '../store/imports.ts'
import type { ItemIds } from '../store/item-ids.ts'
import type { Store } from '../store/store.ts'
import type { Visibility } from '../store/visibility.ts'
import type { CheckPool } from './check-pool.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'

/** The dependencies of imports. */
export type ImportContext = {
  store: Store
  blobs: Blobs
  datasets: DatasetReader
  itemIds: ItemIds
  checkPool: CheckPool
  /** The most bytes of one file, and of one file in an archive. */
  maxBytes: number
  /** Finds the datasets that an import may look into: it goes on when nobody asks for it. */
  visibilityOf: (row: Pick<ImportRow, 'created_by' | 'token_datasets'>) => Promise<Visibility>
}
