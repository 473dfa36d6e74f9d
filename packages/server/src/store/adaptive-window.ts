/**
 * How much of a long work is done at once, so that nothing else waits for longer than about `targetMs`
 * while it goes on.
 */
export class AdaptiveWindow {
  readonly #targetMs: number
  #size: number

  constructor({ targetMs, size }: { targetMs: number; size: number }) {
    this.#targetMs = targetMs
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  /** Tells how long a window of this size took; a smaller one, at the end of the work, tells little. */
  took(milliseconds: number, size = this.#size): void {
    if (milliseconds > this.#targetMs) {
      const fitting = (size * this.#targetMs) / milliseconds
      this.#size = Math.max(1, Math.floor(fitting))
    } else if (milliseconds < this.#targetMs / 2 && size === this.#size) {
      this.#size *= 2
    }
  }
}
