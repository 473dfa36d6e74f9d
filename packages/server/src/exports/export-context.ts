import type { BaseLogger } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import type { Store } from '../store/store.ts'
import type { CheckpointSigner } from '../log/checkpoint-signer.ts'
import type { Logs } from '../log/logs.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

/** The dependencies of exports. */
export type ExportContext = {
  store: Store
  blobs: Blobs
  datasets: DatasetReader
  logs: Logs
  signer: CheckpointSigner
  snapshots: SnapshotFiles
  logger: Pick<BaseLogger, 'fatal'>
  /** Public URL of this server, without a slash at the end. */
  apiUrl: string
}
