import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { type DatasetState, stateName } from '@vitrine/contract'
import type { Blobs, ByteRange } from '../blobs/blobs.ts'
import { fail, Failure } from '../failure.ts'
import { Waits } from '../listings/waits.ts'
import type { DatasetReader } from '../reading/dataset-reader.ts'
import type { ReadableDataset } from '../reading/compiled-datasets.ts'
import { FairQueue } from '../runtime/fair-queue.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import {
  type SnapshotKey,
  type SnapshotPart,
  type SnapshotRow,
  type SnapshotsInUse,
  dropSnapshot,
  findSnapshot,
  listNeedlessSnapshots,
  makeSnapshotRoom,
  touchSnapshot,
} from '../store/snapshot-files.ts'
import { lockSnapshotRoom } from '../store/leases.ts'
import type { Store } from '../store/store.ts'
import { makeSnapshot, snapshotKey } from './make-snapshot.ts'

/** How snapshots are made and kept; times in milliseconds. */
export type SnapshotBounds = {
  /** A file with so many bytes ends, and another one begins. */
  partBytes: number
  /** Rows of a group in a file: a reader fetches a column of each group by a request. */
  groupRows: number
  /** How long a request waits for a snapshot: clients give up after 30 s. */
  waitMs: number
  /** How long one stays that was read, as who reads it in ranges may come again. */
  quietMs: number
  /** How long one stays that nobody reads. */
  idleMs: number
}

export const usualSnapshotBounds: SnapshotBounds = {
  partBytes: 256 * 1024 ** 2,
  groupRows: 65_536,
  waitMs: 20_000,
  quietMs: 10 * 60_000,
  idleMs: 30 * 24 * 60 * 60_000,
}

/** How often it is noted that a snapshot is read. */
const touchMs = 60_000
/** How often it is looked whether another process has made one. */
const lookMs = 250
/** Snapshots that a process makes at once, and those of them that may wait for their turn. */
const makingsMax = { concurrency: 2, waiting: 100 }
/** Snapshots of which it is remembered that they are too large. */
const tooLargeMax = 1000

/** A snapshot to be read. */
export type SnapshotFile = SnapshotRow & { dataset: ReadableDataset; at: number }

/**
 * Datasets as they were, as files that are made once, whatever the processes, when somebody asks for the first time,
 * and kept as long as there is room.
 */
export class SnapshotFiles {
  readonly #store: Store
  readonly #blobs: Blobs
  readonly #datasets: DatasetReader
  /** Bytes of all together. */
  readonly #bytes: number
  readonly #bounds: SnapshotBounds
  readonly #onMade: (made: { dataset: string; at: number; ms: number }) => void
  readonly #onError: (error: unknown) => void
  readonly #waits: Waits
  readonly #queue = new FairQueue(makingsMax.concurrency)
  readonly #stopping = new AbortController()
  readonly #makings = new Map<string, Promise<boolean>>()
  readonly #tooLarge = new LruCache<string, true>(tooLargeMax)
  /** By id, how many readers of this process a snapshot has. */
  readonly #readers = new Map<number, number>()

  constructor(
    { store, blobs, datasets }: { store: Store; blobs: Blobs; datasets: DatasetReader },
    {
      bytes,
      bounds = usualSnapshotBounds,
      waitingMax = Infinity,
      onMade,
      onError,
    }: {
      bytes: number
      bounds?: SnapshotBounds | undefined
      /** Requests that wait at once. */
      waitingMax?: number
      onMade: (made: { dataset: string; at: number; ms: number }) => void
      /** Called with errors that nobody waits for. */
      onError: (error: unknown) => void
    },
  ) {
    this.#store = store
    this.#blobs = blobs
    this.#datasets = datasets
    this.#bytes = bytes
    this.#bounds = bounds
    this.#waits = new Waits(waitingMax)
    this.#onMade = onMade
    this.#onError = onError
  }

  /**
   * The snapshot of a state; where it is not there it is made, and waited for.
   * @throws Failure DATASET_NOT_FOUND, STATE_NOT_FOUND, SNAPSHOT_NOT_READY, SNAPSHOT_TOO_LARGE, and what reading
   * the dataset fails with
   */
  async find(
    { name, at }: Required<DatasetState>,
    { asker, signal }: { asker: string; signal: () => AbortSignal },
  ): Promise<SnapshotFile> {
    let wait: ReturnType<Waits['begin']> | undefined
    try {
      for (;;) {
        const dataset = await this.#datasets.find(name, at)
        if (dataset === undefined) throw fail('DATASET_NOT_FOUND')
        const key = snapshotKey(dataset, at)
        const row = await this.#take(key)
        if (row !== undefined) return { ...row, dataset, at }
        if (this.#tooLarge.find(textOf(key)) === true) throw fail('SNAPSHOT_TOO_LARGE')
        const making = this.#make(dataset, key, asker)
        wait ??= this.#waits.begin(this.#bounds.waitMs, signal())
        const isOurs = await wait.for(making)
        if (isOurs === undefined) throw fail('SNAPSHOT_NOT_READY')
        if (!isOurs) await wait.for(sleep(lookMs))
      }
    } finally {
      wait?.end()
    }
  }

  /** The snapshot of a state where it is there. */
  async findMade(dataset: ReadableDataset, at: number): Promise<SnapshotRow | undefined> {
    return findSnapshot(this.#store.reads, snapshotKey(dataset, at))
  }

  /**
   * Reads a file of a snapshot, or a range of it. As long as somebody does, the snapshot stays.
   * @throws DamagedBlob
   */
  async open(
    { id }: SnapshotRow,
    { sha256, size }: SnapshotPart,
    range: ByteRange | undefined,
  ): Promise<Readable> {
    const close = this.#beginReading(id)
    try {
      const bytes = await this.#blobs.open({ sha256, size }, range)
      return bytes.once('close', close)
    } catch (error) {
      close()
      throw error
    }
  }

  /** Lets go of a snapshot that cannot be read, so that it is made again. */
  async drop({ id }: SnapshotRow): Promise<void> {
    await this.#store.write((transaction) => dropSnapshot(transaction, id))
  }

  /** Lets go of what nobody needs, and of what there is no room for. */
  async sweep({ quietMs, idleMs }: Pick<SnapshotBounds, 'quietMs' | 'idleMs'> = this.#bounds) {
    const { reads, write } = this.#store
    const inUse = this.#inUse(quietMs)
    for (const id of await listNeedlessSnapshots(reads, { idleMs, inUse })) {
      await write((transaction) => dropSnapshot(transaction, id))
    }
    await write(async (transaction) => {
      await lockSnapshotRoom(transaction)
      await makeSnapshotRoom(transaction, this.#bytes, this.#inUse(quietMs))
    })
  }

  /** Has no request wait any more, as when the server is to stop. */
  endWaits(): void {
    this.#waits.end()
  }

  async stop(): Promise<void> {
    this.endWaits()
    this.#stopping.abort()
    this.#queue.releaseAll()
    await Promise.allSettled(this.#makings.values())
  }

  /** Finds a snapshot, and notes that it is read, lest it go. */
  async #take(key: SnapshotKey): Promise<SnapshotRow | undefined> {
    const row = await findSnapshot(this.#store.reads, key)
    if (row === undefined || row.unusedMs < touchMs) return row
    return (await this.#touch(row.id)) ? row : undefined
  }

  #touch(id: number): Promise<boolean> {
    return this.#store.write((transaction) => touchSnapshot(transaction, id), { derived: true })
  }

  #beginReading(id: number): () => void {
    this.#readers.set(id, (this.#readers.get(id) ?? 0) + 1)
    const touching = setInterval(() => void this.#touch(id).catch(this.#onError), touchMs)
    return () => {
      clearInterval(touching)
      const others = this.#readers.get(id)! - 1
      if (others > 0) this.#readers.set(id, others)
      else this.#readers.delete(id)
    }
  }

  #inUse(quietMs: number): SnapshotsInUse {
    return { quietMs, ids: [...this.#readers.keys()] }
  }

  /** Makes a snapshot unless another process does; says whether this one did. */
  #make(dataset: ReadableDataset, key: SnapshotKey, asker: string): Promise<boolean> {
    const text = textOf(key)
    const running = this.#makings.get(text)
    if (running !== undefined) return running
    if (this.#makings.size >= makingsMax.waiting) throw fail('OVERLOADED')
    const making = this.#queue
      .run(asker, () => this.#makeExclusively(dataset, key))
      .catch((error: unknown) => {
        if (!(error instanceof Failure) && !this.#stopping.signal.aborted) this.#onError(error)
        if (error instanceof Failure && error.code === 'SNAPSHOT_TOO_LARGE') {
          this.#tooLarge.put(text, true)
        }
        throw error
      })
      .finally(() => this.#makings.delete(text))
    // Nobody may wait for it any more.
    making.catch(() => {})
    this.#makings.set(text, making)
    return making
  }

  async #makeExclusively(dataset: ReadableDataset, key: SnapshotKey): Promise<boolean> {
    const { signal: stopping } = this.#stopping
    if (stopping.aborted) throw fail('SNAPSHOT_NOT_READY')
    const done = await this.#store.exclusively(`snapshot ${textOf(key)}`, async (lease) => {
      // Another process may have made it a moment ago.
      if ((await findSnapshot(this.#store.reads, key)) !== undefined) return 'done'
      const began = performance.now()
      await makeSnapshot(
        { store: this.#store, blobs: this.#blobs },
        {
          dataset,
          key,
          lease,
          bounds: { bytes: this.#bytes, ...this.#bounds },
          inUse: () => this.#inUse(this.#bounds.quietMs),
          stopping,
        },
      )
      const ms = Math.round(performance.now() - began)
      this.#onMade({ dataset: dataset.name, at: key.at, ms })
      return 'done'
    })
    return done !== undefined
  }
}

function textOf({ datasetId, at, revision, version }: SnapshotKey): string {
  return `${datasetId} ${at} ${revision} ${version}`
}

/** The addresses of the files of a snapshot, of which the first has one that says nothing of parts where it is alone. */
export function snapshotUrls(
  apiUrl: string,
  state: Required<DatasetState>,
  { parts }: { parts: readonly unknown[] },
): string[] {
  const address = `${apiUrl}/api/dataset/${stateName(state)}/snapshot`
  if (parts.length === 1) return [`${address}.parquet`]
  return parts.map((_, number) => `${address}/${number}.parquet`)
}
