/**
 * Cuts numbers into bins with round bounds, finer or coarser: a number is in the bin `n` of a level when
 * it is at or above `bound(n)` and below `bound(n + 1)`.
 */
export type Scale = {
  bin: (value: number, level: number) => number
  bound: (bin: number, level: number) => number
  /** The finest level that has at most so many bins from the least to the greatest. */
  level: (least: number, greatest: number, binsMax: number) => number
  /**
   * Returns a level of a nested scale: each bin is whole bins of every level before, and so are those of any level that
   * `level` gives for a hundredth of the bins.
   */
  nestedLevel: (least: number, greatest: number, binsMax: number) => number
}
