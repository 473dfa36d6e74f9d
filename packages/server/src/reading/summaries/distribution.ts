import type { FieldSummary } from '@vitrine/contract'
import type { Scale } from './scales.ts'

/** Different numbers that are kept as they are. */
const apartMax = 1000
/** Bins of more; a hundredth is shown. */
const finestMax = 4000
const binsMax = 40
/** A billion of the largest doubles can be added up at a 2^30th of their size. */
const scaled = 2 ** -30

export type DistributionState = {
  count: number
  least: number
  greatest: number
  /** The sum at a 2^30th of its size, and what rounding took off it. */
  sum: number
  rounded: number
  /** By number, or by bin of the level where there is one. */
  counts: Map<number, number>
  level: number | undefined
}

export type Bin = { from: number; to: number; count: number }

/**
 * How numbers are spread: least, greatest, mean and a histogram, all exact but for the rounding of the mean. Bins
 * are kept finer than they are shown, and grow coarser by whole bins as the range grows.
 */
export class Distribution {
  readonly state: DistributionState
  readonly #scale: Scale

  constructor(
    scale: Scale,
    state: DistributionState = {
      count: 0,
      least: Infinity,
      greatest: -Infinity,
      sum: 0,
      rounded: 0,
      counts: new Map(),
      level: undefined,
    },
  ) {
    this.#scale = scale
    this.state = state
  }

  add(value: number): void {
    const { state } = this
    state.count += 1
    this.#addUp(value * scaled)
    const isBeyond = value < state.least || value > state.greatest
    if (value < state.least) state.least = value
    if (value > state.greatest) state.greatest = value
    if (isBeyond && state.level !== undefined) this.#bin()
    const key = state.level === undefined ? value : this.#scale.bin(value, state.level)
    state.counts.set(key, (state.counts.get(key) ?? 0) + 1)
    if (state.level === undefined && state.counts.size > apartMax) this.#bin()
  }

  get mean(): number {
    const { sum, rounded, count } = this.state
    return (sum + rounded) / count / scaled
  }

  get total(): number {
    return (this.state.sum + this.state.rounded) / scaled
  }

  /** Bins from that of the least to that of the greatest; none of no numbers. */
  histogram(): Bin[] {
    const { least, greatest, counts, count } = this.state
    if (count === 0) return []
    const level = this.#scale.level(least, greatest, binsMax)
    const binned = this.#regroup(counts, level)
    const first = this.#scale.bin(least, level)
    return Array.from({ length: this.#scale.bin(greatest, level) - first + 1 }, (_, index) => ({
      from: this.#scale.bound(first + index, level),
      to: this.#scale.bound(first + index + 1, level),
      count: binned.get(first + index) ?? 0,
    }))
  }

  /** Neumaier's sum: the order of numbers that differ much in size loses nothing. */
  #addUp(value: number): void {
    const { state } = this
    const sum = state.sum + value
    state.rounded +=
      Math.abs(state.sum) >= Math.abs(value) ? state.sum - sum + value : value - sum + state.sum
    state.sum = sum
  }

  /** Puts what was counted into bins that are fine enough for the range as it is now. */
  #bin(): void {
    const { state } = this
    const level = this.#scale.nestedLevel(state.least, state.greatest, finestMax)
    if (state.level !== undefined && level <= state.level) return
    state.counts = this.#regroup(state.counts, level)
    state.level = level
  }

  #regroup(counts: ReadonlyMap<number, number>, level: number): Map<number, number> {
    const from = this.state.level
    const grouped = new Map<number, number>()
    for (const [key, count] of counts) {
      const bin = this.#scale.bin(from === undefined ? key : this.#scale.bound(key, from), level)
      grouped.set(bin, (grouped.get(bin) ?? 0) + count)
    }
    return grouped
  }
}

type Bins = NonNullable<FieldSummary['histogram']>
type Bound = Bins[number]['from']

/** The bins of a spread, their bounds as values; one beyond all values is left out. */
export function histogramOf(distribution: Distribution, boundOf: (bound: number) => Bound): Bins {
  return distribution.histogram().map(({ from, to, count }) => {
    const [least, beyond] = [boundOf(from), boundOf(to)]
    return {
      ...(least !== undefined && { from: least }),
      ...(beyond !== undefined && { to: beyond }),
      count,
    }
  })
}

/** A measure of values, such as the lengths of texts, as a summary has it. */
export function measureOf(distribution: Distribution) {
  const { least, greatest } = distribution.state
  const histogram = distribution.histogram()
  return { least, greatest, mean: distribution.mean, histogram }
}
