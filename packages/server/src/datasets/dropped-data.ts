import { setTimeout as sleep } from 'node:timers/promises'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import {
  dropItemTable,
  dropItemWindow,
  dropListingTables,
  dropListingWindow,
  listDroppedListings,
  listDroppedRepos,
} from '../store/drop-data.ts'
import type { Store, Transaction } from '../store/store.ts'

/** In milliseconds. */
const times = {
  /** One window may hold the event loop for about this long. */
  window: 15,
  /** Between windows, so that requests come first. */
  pause: 5,
}

/** In milliseconds: a read that found the dataset before it was deleted is over by then. */
export const usualDropGraceMs = 2_000

/** Something to remove: rows first, then what held them. */
type Dropped = {
  /** Removes so many rows; returns whether there were any. */
  empty: (transaction: Transaction, count: number) => Promise<boolean>
  drop: (transaction: Transaction) => Promise<void>
}

/**
 * Removes the items of deleted repositories and what views no longer keep in the background, in windows
 * that adapt to the size of the rows. What a stop leaves undone the next start goes on with.
 */
export class DroppedData {
  readonly #store: Store
  readonly #graceMs: number
  readonly #onError: (error: unknown) => void
  readonly #stopping = new AbortController()
  #isRequested = false
  #running: Promise<void> | undefined

  constructor(
    store: Store,
    { graceMs, onError }: { graceMs: number; onError: (error: unknown) => void },
  ) {
    this.#store = store
    this.#graceMs = graceMs
    this.#onError = onError
  }

  /** Begins to remove what there is; where that is under way, looks once more when it is done. */
  wake(): void {
    this.#isRequested = true
    this.#running ??= this.#removeRequested().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#onError(error)
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #removeRequested(): Promise<void> {
    const { signal } = this.#stopping
    try {
      while (this.#isRequested) {
        this.#isRequested = false
        const removed = await this.#store.exclusively('dropped data', () => this.#removeAll())
        if (removed !== undefined) continue
        // Another process is at it, and may have looked for the last time already.
        this.#isRequested = true
        await sleep(this.#graceMs, undefined, { signal })
      }
    } finally {
      this.#running = undefined
    }
  }

  async #removeAll(): Promise<'all'> {
    const { signal } = this.#stopping
    for (;;) {
      const dropped = await this.#list()
      if (dropped.length === 0) return 'all'
      for (const each of dropped) await this.#empty(each)
      await sleep(this.#graceMs, undefined, { signal })
      for (const { drop } of dropped) await this.#store.writeAlone(drop)
    }
  }

  async #list(): Promise<Dropped[]> {
    const { reads, emptyTable } = this.#store
    const repos = await listDroppedRepos(reads)
    const listings = await listDroppedListings(reads)
    return [
      ...repos.map((id) => ({
        empty: (transaction: Transaction, count: number) =>
          dropItemWindow(transaction, id, { count, emptyTable }),
        drop: (transaction: Transaction) => dropItemTable(transaction, id),
      })),
      ...listings.map((listing) => ({
        empty: (transaction: Transaction, count: number) =>
          dropListingWindow(transaction, listing, { count, emptyTable }),
        drop: (transaction: Transaction) => dropListingTables(transaction, listing),
      })),
    ]
  }

  async #empty({ empty }: Dropped): Promise<void> {
    const window = new AdaptiveWindow({ targetMs: times.window, size: 16 })
    for (;;) {
      const more = await this.#store.write(async (transaction) => {
        const began = performance.now()
        const removed = await empty(transaction, window.size)
        window.took(performance.now() - began)
        return removed
      })
      if (!more) return
      await sleep(times.pause, undefined, { signal: this.#stopping.signal })
    }
  }
}
