import { AdaptiveWindow } from '../store/adaptive-window.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Sizes } from './sizes.ts'

/** Bytes of a first window, some of which are read in ten milliseconds, and its least size. */
const windowBytes = 64 * 1024 ** 2
const windowMin = 64

/** Windows that are remembered. */
const keptMax = 1000

/**
 * Lets the windows of all listings run one at a time: several in one group of writes would hold the
 * event loop for as long as they take together.
 */
export class SerialQueue {
  readonly #store: Store
  readonly #sizes: Sizes
  readonly #windows = new LruCache<number, AdaptiveWindow>(keptMax)
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: Store, sizes: Sizes) {
    this.#store = store
    this.#sizes = sizes
  }

  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Lets no more windows run. */
  close(): void {
    this.#isClosed = true
  }

  /** Lets some work on a listing run in its turn. */
  turn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => {
      if (this.#isClosed) throw new Error('the server is stopping')
      return work()
    })
    this.#last = mine.catch(() => {})
    return mine
  }

  /** Runs one write of many in its turn. */
  inTurn<T>(write: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.turn(() => this.#store.write(write, { derived: true }))
  }

  /**
   * A write of one window of a listing; it says how many items it read, and how long it looked for them, and the
   * next window adapts to the rest.
   */
  windowInTurn<T extends { looked: number; soughtMs: number } | undefined>(
    listingId: number,
    write: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.inTurn(async (transaction) => {
      const began = performance.now()
      const result = await write(transaction)
      if (result !== undefined && result.looked > 0) {
        const { looked, soughtMs } = result
        this.window(listingId).took(performance.now() - began - soughtMs, looked)
      }
      return result
    })
  }

  /**
   * The window of a listing as it has proved to be: how many positions are looked at in one write. The first one is
   * of fewer where items may be long.
   */
  window(listingId: number, textBytesMax = 0): AdaptiveWindow {
    return this.#windows.get(listingId, () => {
      const { size, targetMs } = this.#sizes.window
      const fitting = Math.floor(windowBytes / Math.max(1, textBytesMax))
      return new AdaptiveWindow({ size: Math.min(size, Math.max(windowMin, fitting)), targetMs })
    })
  }
}
