import { setTimeout as sleep } from 'node:timers/promises'
import { dropItemTable, dropItemWindow, findDroppedRepo } from '../store/drop-items.ts'
import type { Store } from '../store/store.ts'

/** In milliseconds. */
const times = {
  /** One window may hold the event loop for about this long. */
  window: 15,
  /** Between windows, so that requests come first. */
  pause: 5,
  /** A read that found the repository before it was deleted is over by then. */
  grace: 2_000,
}

/**
 * Removes the items of deleted repositories in the background, in windows that adapt to the size of the
 * items. What a stop leaves undone the next start goes on with.
 */
export class DroppedRepos {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(store: Store, { onError }: { onError: (error: unknown) => void }) {
    this.#store = store
    this.#onError = onError
  }

  /** Begins to remove what there is, unless that is under way. */
  wake(): void {
    this.#running ??= this.#removeAll()
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#onError(error)
      })
      .finally(() => {
        this.#running = undefined
      })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #removeAll(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      const repoId = await findDroppedRepo(this.#store.reads)
      if (repoId === undefined) return
      await this.#empty(repoId)
      await sleep(times.grace, undefined, { signal })
      await this.#store.write((transaction) => dropItemTable(transaction, repoId))
    }
  }

  async #empty(repoId: number): Promise<void> {
    let count = 16
    for (;;) {
      let took = 0
      const more = await this.#store.write(async (transaction) => {
        const began = performance.now()
        const removed = await dropItemWindow(transaction, repoId, count)
        took = performance.now() - began
        return removed
      })
      if (!more) return
      if (took < times.window / 2) count *= 2
      else if (took > times.window) count = Math.max(1, Math.floor(count / 2))
      await sleep(times.pause, undefined, { signal: this.#stopping.signal })
    }
  }
}
