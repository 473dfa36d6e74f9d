import type { FieldFold, FoldedField } from './field-fold.ts'
import { foldCommonest } from './fold-commonest.ts'
import { histogramOf } from './histogram.ts'
import { allNumbers, wholeNumbers } from './number-scale.ts'
import { Spread, type SpreadState } from './spread.ts'
import type { ValueCountsState } from './value-counts.ts'

type State = { counts: ValueCountsState; spread: SpreadState }

export function foldNumbers(field: FoldedField, state?: State): FieldFold {
  const commonest = foldCommonest(field, state?.counts)
  const spread = new Spread(field.type === 'integer' ? wholeNumbers : allNumbers, state?.spread)
  return {
    state: { counts: commonest.state, spread: spread.state },
    add: (cells) => {
      commonest.add(cells)
      spread.add(cells[0] as number)
    },
    summary: () => {
      if (spread.state.count === 0) return commonest.summary()
      const { least, greatest } = spread.state
      const histogram = histogramOf(spread, (bound) => (Number.isFinite(bound) ? bound : undefined))
      return { ...commonest.summary(), least, greatest, mean: spread.mean, histogram }
    },
  }
}
