import { plainText, type Comparison, type FieldSummary } from '@vitrine/contract'

export type Bin = NonNullable<FieldSummary['histogram']>[number]

/** Returns the comparison for the values of a bin: at or above its lower bound, and below the upper one. */
export function boundsOf({ from, to }: Bin): Comparison {
  return {
    ...(from !== undefined && { gte: from }),
    ...(to !== undefined && { lt: to }),
  }
}

/** A bin in words: `1,000 to 2,000`. */
export function binText({ from, to }: Bin): string {
  if (from === undefined) return `before ${boundText(to)}`
  return to === undefined ? `from ${boundText(from)}` : `${boundText(from)} to ${boundText(to)}`
}

/** A value as the end of a range, with all its digits. */
export function boundText(bound: Bin['from']): string {
  if (bound === undefined) return ''
  return typeof bound === 'number'
    ? bound.toLocaleString(undefined, { maximumSignificantDigits: 15 })
    : plainText(bound)
}

/** At most so many bins, each of them of some that stand beside each other. */
export function mergedBins(bins: readonly Bin[], most: number): Bin[] {
  const size = Math.ceil(bins.length / most)
  return bins.flatMap((first, index): Bin[] => {
    if (index % size !== 0) return []
    const merged = bins.slice(index, index + size)
    const to = merged.at(-1)?.to
    return [
      {
        ...(first.from !== undefined && { from: first.from }),
        ...(to !== undefined && { to }),
        count: merged.reduce((sum, { count }) => sum + count, 0),
      },
    ]
  })
}
