import type { FieldSummary } from '@vitrine/contract'
import type { Spread } from './spread.ts'

type Bins = NonNullable<FieldSummary['histogram']>
type Bound = Bins[number]['from']

/** The bins of a spread, their bounds as values; one beyond all values is left out. */
export function histogramOf(spread: Spread, boundOf: (bound: number) => Bound): Bins {
  return spread.histogram().map(({ from, to, count }) => {
    const [least, beyond] = [boundOf(from), boundOf(to)]
    return {
      ...(least !== undefined && { from: least }),
      ...(beyond !== undefined && { to: beyond }),
      count,
    }
  })
}

/** A measure of values, such as the lengths of texts, as a summary has it. */
export function measureOf(spread: Spread) {
  const { least, greatest } = spread.state
  const histogram = spread.histogram()
  return { least, greatest, mean: spread.mean, histogram }
}
