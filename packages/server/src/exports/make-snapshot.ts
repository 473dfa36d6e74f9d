import type { Blobs, ReceivedBlob } from '../blobs/blobs.ts'
import { exposeBlobs } from '../blobs/expose-blobs.ts'
import { fail, Failure } from '../failure.ts'
import type { ReadableDataset } from '../reading/compiled-datasets.ts'
import type { StateSnapshot } from '../reading/snapshot.ts'
import { type Lease, lockSnapshotRoom } from '../store/leases.ts'
import {
  type SnapshotKey,
  type SnapshotsInUse,
  countSnapshotBytes,
  keepSnapshot,
  makeSnapshotRoom,
} from '../store/snapshot-files.ts'
import type { Store } from '../store/store.ts'
import { exportColumns, toWritten } from './export-column.ts'
import { writeRows } from './write-rows.ts'

/** Raised when the same items are written as other bytes. */
const version = 1

/** Returns the key of the snapshot of a state of a dataset. */
export function snapshotKey(dataset: ReadableDataset, at: number): SnapshotKey {
  return { datasetId: dataset.id, at, revision: dataset.revision, version }
}

type Making = {
  dataset: ReadableDataset
  key: SnapshotKey
  lease: Lease
  /** Bytes that all snapshots may have together, and where a file and a group of its rows end. */
  bounds: { bytes: number } & FileBounds
  /** Those that may not go. */
  inUse: () => SnapshotsInUse
  stopping: AbortSignal
}

type FileBounds = { partBytes: number; groupRows: number }

type MadePart = { blob: ReceivedBlob; rows: number }

/**
 * Writes a dataset as it was as Parquet, and keeps it. The same state is written as the same bytes. Where the dataset
 * was extended or deleted meanwhile, nothing is kept.
 * @throws Failure SNAPSHOT_TOO_LARGE; SNAPSHOT_NOT_READY where those that are being read leave no room;
 * VIEW_NOT_READY, STORAGE_FULL, OVERLOADED
 */
export async function makeSnapshot(
  { store, blobs }: { store: Store; blobs: Blobs },
  { dataset, key, lease, bounds, inUse, stopping }: Making,
): Promise<void> {
  const taken = await countSnapshotBytes(store.reads, inUse())
  const made: MadePart[] = []
  try {
    const snapshot = await dataset.items.snapshot(0)
    let room = Math.max(0, bounds.bytes - taken)
    for await (const part of writeParts(blobs, snapshot, { ...bounds, room: () => room })) {
      made.push(part)
      room -= part.blob.size
      stopping.throwIfAborted()
    }
    lease.check()
    const parts = made.map(({ blob: { sha256, size }, rows }) => ({ sha256, size, rows }))
    const bytes = parts.reduce((sum, { size }) => sum + size, 0)
    const received = made.map(({ blob }) => blob)
    await exposeBlobs(
      store,
      received,
      async (transaction) => {
        if (!(await makeSnapshotRoom(transaction, bounds.bytes - bytes, inUse()))) {
          throw fail('SNAPSHOT_NOT_READY')
        }
        await keepSnapshot(transaction, key, parts)
      },
      { first: lockSnapshotRoom },
    )
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'CONTENT_TOO_LARGE')) throw error
    throw fail(taken > 0 ? 'SNAPSHOT_NOT_READY' : 'SNAPSHOT_TOO_LARGE')
  } finally {
    for (const { blob } of made) await blob.discard()
  }
}

/**
 * Writes rows as files, each of which ends after the group of rows with which it has enough bytes. There is one at
 * least.
 */
async function* writeParts(
  blobs: Blobs,
  snapshot: StateSnapshot,
  { partBytes, groupRows, room }: FileBounds & { room: () => number },
): AsyncGenerator<MadePart> {
  const columns = exportColumns(snapshot.fields, { integrity: false })
  const format = { kind: 'parquet' as const, columns: toWritten(columns), groupRows }
  const windows = snapshot.read(snapshot.count, columns)[Symbol.asyncIterator]()
  let left = snapshot.count
  try {
    do {
      let bytes = 0
      let rows = 0
      const windowsOfPart = async function* () {
        const isFull = () => bytes >= partBytes
        while (!isFull()) {
          const window = await windows.next()
          if (window.done === true) return
          rows += window.value.count
          yield window.value
        }
      }
      const counted = async function* () {
        const source = { windows: windowsOfPart(), count: left, isStepwise: true }
        for await (const piece of writeRows(format, source)) {
          bytes += piece.length
          yield piece
        }
      }
      const blob = await blobs.receive(counted(), { maxBytes: room() })
      left -= rows
      yield { blob, rows }
    } while (left > 0)
  } finally {
    await windows.return?.()
  }
}
