/**
 * The reads that wait for views, so many at most: they must not fill all places of requests. One catch-up
 * serves all that wait for the same view.
 */
export class Waits {
  readonly #max: number
  readonly #waits = new Set<Wait>()
  #isEnded = false

  constructor(max: number) {
    this.#max = max
  }

  /** Begins a wait of so many milliseconds; none beyond the bound, or when nothing waits any more. */
  begin(milliseconds: number, signal?: AbortSignal): Wait {
    const wait: Wait = new Wait(() => this.#waits.delete(wait))
    if (this.#isEnded || this.#waits.size >= this.#max || milliseconds <= 0) {
      wait.end()
      return wait
    }
    this.#waits.add(wait)
    wait.endAfter(milliseconds, signal)
    return wait
  }

  /** Ends all waits, and lets none begin. */
  end(): void {
    this.#isEnded = true
    for (const wait of this.#waits) wait.end()
  }
}

/** One read that waits for one thing after the other, until its time is over. */
export class Wait implements Disposable {
  readonly #onEnd: () => void
  readonly #ended = new AbortController()
  #wake: (() => void) | undefined

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  endAfter(milliseconds: number, signal: AbortSignal | undefined): void {
    const end = () => this.end()
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
    this.#ended.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    })
    if (signal?.aborted === true) end()
  }

  get isOver(): boolean {
    return this.#ended.signal.aborted
  }

  /** Returns the result of a promise; undefined once the wait is over. */
  for<T>(promise: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      if (this.isOver) resolve(undefined)
      else this.#wake = () => resolve(undefined)
      // Also when it is over: nobody else may handle its error.
      promise.then(resolve, reject)
    })
  }

  end(): void {
    this.#ended.abort()
    this.#onEnd()
    this.#wake?.()
  }

  [Symbol.dispose](): void {
    this.end()
  }
}
