import type { BaseLogger } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import type { Store } from '../store/store.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'

/** The dependencies of exports. */
export type ExportContext = {
  store: Store
  blobs: Blobs
  datasets: DatasetReader
  logger: Pick<BaseLogger, 'fatal'>
  /** Where people reach this server, without a slash at the end. */
  apiUrl: string
}
