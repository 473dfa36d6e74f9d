import type { FastifyBaseLogger } from 'fastify'
import type { Blobs } from '../blobs/blobs.ts'
import { collectBlobs, emptyTrash, firstKeptDay } from '../blobs/collect.ts'
import { sweepDeleted } from '../datasets/remove-deleted.ts'
import type { SnapshotBounds, SnapshotFiles } from '../exports/snapshot-files.ts'
import type { CheckpointSigner } from '../log/checkpoint-signer.ts'
import type { Logs } from '../log/logs.ts'
import { recordCheckpoints, recordingMs } from '../log/record-checkpoints.ts'
import { type ImportBounds, sweepImports } from '../imports/sweep-imports.ts'
import { sweepInserts } from '../inserts/sweep-inserts.ts'
import type { Store } from '../store/store.ts'
import { deleteExpiredTokens } from '../store/tokens.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Ages below which upkeep removes nothing. */
export type UpkeepBounds = {
  /** How long it is known of an insert that it expired. */
  insertKeptMs: number
  /** The age from which unreferenced blobs are removed. */
  blobGraceMs: number
  /** How long bytes must be known that no row tells of. */
  orphanGraceMs: number
  /** How long it is kept what was asked of a dataset. */
  explorationIdleMs: number
  /** How long no checkpoints are recorded after some were. */
  recordingMs?: number
  imports?: ImportBounds | undefined
  /** How long deleted datasets can be taken back, where it is not what the configuration says. */
  deletedRestMs?: number
  snapshots?: Pick<SnapshotBounds, 'quietMs' | 'idleMs'> | undefined
}

const usualBounds: UpkeepBounds = {
  insertKeptMs: 24 * 60 * minute,
  blobGraceMs: 60 * minute,
  orphanGraceMs: 24 * 60 * minute,
  explorationIdleMs: 30 * minute,
}
/** No upload goes on for so long without a byte; what is older is of a process that is gone. */
const unpublishedKeptMs = 24 * 60 * minute
/** How long it is told of a token that its time is over. */
const expiredTokensKeptMs = 30 * 24 * 60 * minute
const pauseMs = 5 * minute
/** Upkeep takes at most one part in so many of the time. */
const restShare = 20

export type Upkeep = {
  /** Runs once, after the run that may be under way; returns how many blobs were collected. */
  run: (bounds?: UpkeepBounds) => Promise<number>
  stop: () => Promise<void>
}

/**
 * Ends expired inserts and imports and idle explorations, records checkpoints of repositories, removes what was deleted
 * long ago, lets go of snapshots, collects blobs and what uploads left, now and then, in the background.
 */
export function startUpkeep({
  store,
  blobs,
  datasets,
  snapshots,
  logs,
  signer,
  logger,
  trashDays,
  deletedDays,
}: {
  store: Store
  blobs: Blobs
  datasets: DatasetReader
  snapshots: SnapshotFiles
  logs: Logs
  signer: CheckpointSigner
  logger: FastifyBaseLogger
  /** How long removed blobs stay in the trash. */
  trashDays: number
  /** How long deleted datasets can be taken back. */
  deletedDays: number
}): Upkeep {
  let last: Promise<unknown> = Promise.resolve()
  let stopped = false
  let timer: NodeJS.Timeout

  const collect = async ({ blobGraceMs, orphanGraceMs }: UpkeepBounds): Promise<number> => {
    const graces = { graceMs: blobGraceMs, orphanGraceMs }
    const collection = await collectBlobs({ store, blobs }, graces)
    if (collection === undefined) return 0
    blobs.health.withheldOrphans = collection.withheld
    if (collection.withheld > 0) {
      logger.error(
        { blobs: collection.withheld },
        'collection stopped: the blob store has many files that the database does not know. Check that they belong together; `vitrine trash collect` moves them to the trash',
      )
    }
    return collection.collected
  }
  const run = (bounds = usualBounds): Promise<number> => {
    const mine = last.then(async () => {
      if (stopped) return 0
      await sweepInserts(store, { keptMs: bounds.insertKeptMs })
      await datasets.dropIdleExplorations(bounds.explorationIdleMs)
      await sweepImports(store, bounds.imports)
      await recordCheckpoints(store, { logs, signer }, bounds.recordingMs ?? recordingMs)
      const restMs = bounds.deletedRestMs ?? deletedDays * day
      if ((await sweepDeleted(store, restMs)) > 0) datasets.tellDropped()
      await snapshots.sweep(bounds.snapshots)
      await store.write((transaction) => deleteExpiredTokens(transaction, expiredTokensKeptMs))
      const collected = await collect(bounds)
      const emptied = await emptyTrash(blobs, firstKeptDay(trashDays, Date.now()))
      if (emptied.length > 0) logger.info({ days: emptied }, 'trash emptied')
      await blobs.removeUnpublished({ olderThanMs: unpublishedKeptMs })
      return collected
    })
    last = mine.catch(() => {})
    return mine
  }
  const runInBackground = async () => {
    const begun = performance.now()
    try {
      const removed = await run()
      if (removed > 0) logger.info({ removed }, 'blobs collected')
    } catch (error) {
      logger.error({ err: error }, 'upkeep failed')
    }
    plan(Math.max(pauseMs, (performance.now() - begun) * restShare))
  }
  const plan = (ms: number) => {
    if (!stopped) timer = setTimeout(() => void runInBackground(), ms)
  }
  plan(0)
  return {
    run,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await last
    },
  }
}
