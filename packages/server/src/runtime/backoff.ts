type Options = {
  firstMs: number
  maxMs: number
  /** Milliseconds of a clock that never goes back. */
  clock?: () => number
}

/** Says when to try again what has failed: after a pause that doubles with each failure in a row. */
export class Backoff<K> {
  readonly #options: Required<Options>
  readonly #failed = new Map<K, { pauseMs: number; dueAt: number }>()

  constructor({ clock = () => performance.now(), ...options }: Options) {
    this.#options = { ...options, clock }
  }

  /** Notes a failure; gives how long to wait. */
  failed(key: K): number {
    const { firstMs, maxMs, clock } = this.#options
    const before = this.#failed.get(key)
    const pauseMs = before === undefined ? firstMs : Math.min(before.pauseMs * 2, maxMs)
    this.#failed.set(key, { pauseMs, dueAt: clock() + pauseMs })
    return pauseMs
  }

  /** Forgets what has failed, once it has succeeded or is not tried any more. */
  forget(key: K): void {
    this.#failed.delete(key)
  }

  isDue(key: K): boolean {
    const dueAt = this.#failed.get(key)?.dueAt
    return dueAt === undefined || this.#options.clock() >= dueAt
  }
}
