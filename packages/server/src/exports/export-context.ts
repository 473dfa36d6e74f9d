import type { BaseLogger } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import type { Store } from '../store/store.ts'
import type { Datasets } from '../views/datasets.ts'

/** What exports work with. */
export type Exporting = {
  store: Store
  blobs: Blobs
  datasets: Datasets
  logger: Pick<BaseLogger, 'fatal'>
  /** Where people reach this server, without a slash at the end. */
  apiUrl: string
}
