import { type DistinctState, DistinctCount } from './distinct-count.ts'

/** Different values of which each is counted; of more, the commonest are. */
const countedMax = 10_000

export type ValueCountsState = {
  counts: Map<string | number, number>
  /** How many of each value may have gone uncounted. */
  uncounted: number
  /** Undefined as long as all values are counted. */
  distinct: DistinctState | undefined
}

/**
 * Counts how often each value comes, in bounded memory: once there are too many, the median of all counts
 * is taken off each of them, and those that nothing is left of go (Misra and Gries, "Finding repeated
 * elements", 1982, with the purges of Anderson et al., "A high-performance algorithm for identifying frequent items
 * in data streams", 2017).
 */
export class ValueCounts {
  readonly state: ValueCountsState
  #distinct: DistinctCount | undefined

  constructor(state: ValueCountsState = { counts: new Map(), uncounted: 0, distinct: undefined }) {
    this.state = state
    this.#distinct = state.distinct && new DistinctCount(state.distinct)
  }

  add(value: string | number): void {
    const { counts } = this.state
    const count = counts.get(value)
    if (count !== undefined) {
      counts.set(value, count + 1)
      return
    }
    counts.set(value, 1)
    this.#distinct?.add(value)
    if (counts.size > countedMax) this.#purge()
  }

  /** Whether every value was counted. */
  get isExact(): boolean {
    return this.#distinct === undefined
  }

  get distinct(): number {
    return this.#distinct?.estimate ?? this.state.counts.size
  }

  /** Values that came more often than one that is not counted may have; at least so often. */
  commonest(
    max: number,
    compare: (a: string | number, b: string | number) => number,
  ): [value: string | number, count: number][] {
    const { counts, uncounted } = this.state
    return [...counts]
      .filter(([, count]) => count > uncounted)
      .toSorted(([a, countA], [b, countB]) => countB - countA || compare(a, b))
      .slice(0, max)
  }

  #purge(): void {
    const { state } = this
    if (this.#distinct === undefined) {
      this.#distinct = new DistinctCount()
      state.distinct = this.#distinct.state
      for (const value of state.counts.keys()) this.#distinct.add(value)
    }
    const median = Float64Array.from(state.counts.values()).toSorted()[state.counts.size >> 1]!
    for (const [value, count] of state.counts) {
      if (count > median) state.counts.set(value, count - median)
      else state.counts.delete(value)
    }
    state.uncounted += median
  }
}
