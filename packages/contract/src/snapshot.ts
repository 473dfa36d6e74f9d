import * as z from 'zod/mini'
import { shownField } from './field.ts'

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
