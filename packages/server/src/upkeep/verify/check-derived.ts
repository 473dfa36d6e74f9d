import type { Config } from '../../config.ts'
import { DatasetReader } from '../../reading/dataset-reader.ts'
import { type Windows } from '../../listings/check-listing.ts'
import { findDatasetById, listDatasetIds } from '../../store/datasets.ts'
import { lockInstallation } from '../../store/lock.ts'
import { openExisting } from '../../store/open-existing.ts'
import { type Store, openStore } from '../../store/store.ts'
import { type Finding, describeUnreadable } from './check-installation.ts'

/** How much is compared: all of it, or some windows that chance chooses. */
export type DerivedExtent = 'whole' | 'sample'

/** Fault in something derived from the items of a repository. */
export type Fault = { repoId: number; where: string; what: string }

/** Windows in a sample of a listing, or of an index. */
const sampleSize = 8
/** Items at most of a summary that a sample makes once more. */
const summarizedMax = 100_000

const extents: Record<DerivedExtent, { windows: Windows; summarizedMax: number }> = {
  whole: {
    summarizedMax: Infinity,
    windows: (count, size) => windowsAt(Array(Math.ceil(count / size)).keys(), { count, size }),
  },
  sample: {
    summarizedMax,
    windows: (count, size) => {
      const windows = Math.ceil(count / size)
      const chosen = Array.from({ length: sampleSize }, () => Math.floor(Math.random() * windows))
      const indexes = windows > sampleSize ? new Set(chosen) : Array(windows).keys()
      return windowsAt(indexes, { count, size })
    },
  },
}

function* windowsAt(indexes: Iterable<number>, { count, size }: { count: number; size: number }) {
  for (const index of indexes) {
    yield { from: index * size, to: Math.min((index + 1) * size, count) }
  }
}

/**
 * Compares everything that is derived of items (listings, orders, search indexes, summaries) with what it is
 * derived from. What is wrong is dropped, to be made again when it is read.
 * @returns whether it was compared: it is not where this account may not write, nor, on SQLite, beside a server
 */
export async function* checkDerived(
  config: Pick<Config, 'database' | 'dataDir'>,
  extent: DerivedExtent,
  signal?: AbortSignal,
): AsyncGenerator<Finding, boolean> {
  const lock = (await isWritable(config)) ? lockInstallation(config) : undefined
  if (lock === undefined) return false
  try {
    yield* compareAll(config, extent, signal)
  } catch (error) {
    signal?.throwIfAborted()
    yield { kind: 'derived', ...describeUnreadable('database', error) }
  } finally {
    lock.release()
  }
  return true
}

async function* compareAll(
  config: Pick<Config, 'database' | 'dataDir'>,
  extent: DerivedExtent,
  signal?: AbortSignal,
): AsyncGenerator<Finding> {
  const store = await openStore(config)
  // Nothing runs in the background.
  const datasets = new DatasetReader(store, { onError: () => undefined })
  const wrong = new Set<number>()
  try {
    for (const id of await listDatasetIds(store.reads)) {
      try {
        const fault = await runToEnd(checkDataset({ store, datasets }, id, extent), signal)
        if (fault === undefined) continue
        const { repoId, where, what } = fault
        wrong.add(repoId)
        yield { kind: 'derived', where, what }
      } catch (error) {
        signal?.throwIfAborted()
        yield { kind: 'derived', ...describeUnreadable(`dataset number ${id}`, error) }
      }
    }
  } finally {
    // After all were told: the views of a repository are dropped together.
    for (const repoId of wrong) await datasets.dropDerived(repoId)
    await datasets.stop()
    await store.close()
  }
}

/**
 * Compares what is derived of one dataset, a window at a time, until something is wrong.
 * @yields undefined after each window without a fault
 * @returns the first fault
 */
export async function* checkDataset(
  { store, datasets }: { store: Store; datasets: DatasetReader },
  id: number,
  extent: DerivedExtent,
): AsyncGenerator<undefined, Fault | undefined> {
  const stored = await findDatasetById(store.reads, id)
  const dataset = stored && (await datasets.find(stored.name))
  if (dataset === undefined) return undefined
  const { repoId, name: where } = dataset
  // Tables of what was deleted or extended meanwhile are emptied, or gone.
  const isSame = async () => (await findDatasetById(store.reads, id))?.revision === dataset.revision
  try {
    for await (const what of datasets.check(dataset, extents[extent])) {
      if (what !== undefined) return (await isSame()) ? { repoId, where, what } : undefined
      yield
    }
  } catch (error) {
    if (await isSame()) throw error
  }
  return undefined
}

async function isWritable({ database }: Pick<Config, 'database'>): Promise<boolean> {
  const existing = await openExisting(database)
  const fault = await existing.findWriteFault()
  await existing.close()
  return fault === undefined
}

async function runToEnd<T>(
  steps: AsyncGenerator<unknown, T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = await steps.next()
    if (done === true) return value
  }
}
