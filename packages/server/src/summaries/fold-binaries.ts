import { compareText } from '@vitrine/contract'
import type { FieldFold, FoldedField } from './field-fold.ts'
import { foldCommonest } from './fold-commonest.ts'
import { measureOf } from './histogram.ts'
import { wholeNumbers } from './number-scale.ts'
import { Spread, type SpreadState } from './spread.ts'
import { ValueCounts, type ValueCountsState } from './value-counts.ts'

type State = { counts: ValueCountsState; mediaTypes: ValueCountsState; bytes: SpreadState }

/** Media types that a summary names. */
const namedMax = 20

export function foldBinaries(field: FoldedField, state?: State): FieldFold {
  const commonest = foldCommonest(field, state?.counts)
  const mediaTypes = new ValueCounts(state?.mediaTypes)
  const bytes = new Spread(wholeNumbers, state?.bytes)
  return {
    state: { counts: commonest.state, mediaTypes: mediaTypes.state, bytes: bytes.state },
    add: (cells) => {
      commonest.add(cells)
      mediaTypes.add(cells[1]!)
      bytes.add(cells[2]!)
    },
    summary: () => {
      if (bytes.state.count === 0) return commonest.summary()
      const named = mediaTypes.commonest(namedMax, (a, b) => compareText(String(a), String(b)))
      return {
        ...commonest.summary(),
        mediaTypes: named.map(([mime, count]) => ({ mime: String(mime), count })),
        bytes: { ...measureOf(bytes), total: bytes.total },
      }
    },
  }
}
