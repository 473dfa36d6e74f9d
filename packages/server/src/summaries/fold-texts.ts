import { compareText, countCodePoints } from '@vitrine/contract'
import type { FieldFold, FoldedField } from './field-fold.ts'
import { shortened, foldCommonest } from './fold-commonest.ts'
import { measureOf } from './histogram.ts'
import { wholeNumbers } from './number-scale.ts'
import { Spread, type SpreadState } from './spread.ts'
import type { ValueCountsState } from './value-counts.ts'

type State = { counts: ValueCountsState; lengths: SpreadState; least: string; greatest: string }

export function foldTexts(field: FoldedField, before?: State): FieldFold {
  const commonest = foldCommonest(field, before?.counts)
  const lengths = new Spread(wholeNumbers, before?.lengths)
  const state = {
    counts: commonest.state,
    lengths: lengths.state,
    least: before?.least ?? '',
    greatest: before?.greatest ?? '',
  }
  return {
    state,
    add: (cells) => {
      const text = String(cells[0])
      commonest.add(cells)
      const isFirst = lengths.state.count === 0
      if (isFirst || compareText(text, state.least) < 0) state.least = text
      if (isFirst || compareText(text, state.greatest) > 0) state.greatest = text
      lengths.add(countCodePoints(text))
    },
    summary: () => {
      if (lengths.state.count === 0) return commonest.summary()
      const { least, greatest } = state
      return {
        ...commonest.summary(),
        ...(!field.hasChoices && { least: shortened(least), greatest: shortened(greatest) }),
        lengths: measureOf(lengths),
      }
    },
  }
}
