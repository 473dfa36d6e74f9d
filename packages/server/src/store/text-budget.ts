/** Rejects a write whose functions would hold the event loop for long with texts: its query runs in a worker. */
export class TooMuchText extends Error {
  constructor() {
    super('too much text for the event loop')
  }
}

/** UTF-16 code units: some ten milliseconds of folding, of most scripts. */
const unitsMax = 256 * 1024

/** Bounds the texts that SQL functions take in one turn of the event loop. */
export class TextBudget {
  #left = unitsMax

  /** @throws TooMuchText */
  take(units: number): void {
    if (this.#left === unitsMax) setImmediate(() => (this.#left = unitsMax))
    this.#left -= units
    if (this.#left < 0) throw new TooMuchText()
  }
}
