import * as fc from 'fast-check'

/** Choices at random, all of them settled by one seed. */
export class Choices {
  readonly #numbers: Iterator<number>

  constructor(seed: number) {
    const [numbers] = fc.sample(fc.infiniteStream(fc.nat()), { seed, numRuns: 1 })
    this.#numbers = numbers![Symbol.iterator]()
  }

  #next(): number {
    return this.#numbers.next().value as number
  }

  /** A whole number from 0. */
  below(end: number): number {
    return this.#next() % end
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!
  }

  /** Whether what happens so often in a hundred times happens now. */
  happens(percent: number): boolean {
    return this.below(100) < percent
  }

  sample<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { seed: this.#next(), numRuns: 1 })[0]!
  }
}
