import * as z from 'zod/mini'
import { shownField } from '../repo/field.ts'
import type { Call } from './call.ts'
import { notReady } from './dataset-calls.ts'
import { exportFormats } from './export.ts'
import { digits } from './query-text.ts'

/** A file of a snapshot, with the rows that come after those of the files before it. */
const snapshotPart = z.object({
  url: z.string(),
  bytes: z.number(),
  /** In lowercase hex; of what is at the address its `ETag`, too. */
  sha256: z.string(),
  rows: z.number(),
})

/** A dataset at a state as Parquet: one file or, where it is large, several (docs/snapshots.md). */
export const snapshot = z.object({
  /** How many items the repository had. */
  at: z.number(),
  schema: z.array(shownField),
  rows: z.number(),
  /** Size of all files together. */
  bytes: z.number(),
  parts: z.array(snapshotPart),
})
export type Snapshot = z.infer<typeof snapshot>

const datasetId = z.string().register(z.globalRegistry, {
  description:
    'The name of a dataset with a state; without one the reply leads to the state of now',
  examples: ['photos@1200'],
})
const part = digits(0, 999_999)

const errors = [
  'DATASET_NOT_FOUND',
  'STATE_NOT_FOUND',
  'SNAPSHOT_TOO_LARGE',
  'INTERNAL',
  'SNAPSHOT_NOT_READY',
  ...notReady,
  'STORAGE_FULL',
] as const

const fileErrors = [...errors, 'RANGE_NOT_SATISFIABLE', 'VALUE_DAMAGED'] as const

/** The calls about the files that datasets are as they were (docs/snapshots.md). */
export const snapshotCalls = {
  datasetSnapshot: {
    summary: 'List the Parquet files of a dataset at a state; makes them if they do not exist',
    method: 'GET',
    path: '/api/dataset/{datasetId}/snapshot',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: z.object({ datasetId }),
    status: 200,
    reply: snapshot,
    errors,
  },
  datasetSnapshotFile: {
    summary: 'Get a dataset at a state as one Parquet file, or byte ranges of it',
    method: 'GET',
    path: '/api/dataset/{datasetId}/snapshot.parquet',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: z.object({ datasetId }),
    status: 200,
    reply: 'bytes',
    replyTypes: [exportFormats.parquet.mediaType],
    errors: [...fileErrors, 'SNAPSHOT_IN_PARTS'],
  },
  datasetSnapshotPart: {
    summary:
      'Get one of the Parquet files of a dataset at a state, counted from 0, or byte ranges of it',
    method: 'GET',
    path: '/api/dataset/{datasetId}/snapshot/{part}.parquet',
    scope: 'read',
    role: 'reader',
    takesLink: true,
    params: z.object({ datasetId, part }),
    status: 200,
    reply: 'bytes',
    replyTypes: [exportFormats.parquet.mediaType],
    errors: [...fileErrors, 'SNAPSHOT_PART_NOT_FOUND', 'DATASET_OR_ITEM_NOT_FOUND'],
  },
} as const satisfies Record<string, Call>
