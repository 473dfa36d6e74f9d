import { valueOf } from '@vitrine/contract'
import type { FieldFold, FoldedField } from './field-fold.ts'
import { foldCommonest } from './fold-commonest.ts'
import { histogramOf } from './histogram.ts'
import { Spread, type SpreadState } from './spread.ts'
import { days, moments } from './time-scale.ts'
import type { ValueCountsState } from './value-counts.ts'

/** Least and greatest as cells: they have microseconds, which the spread has not. */
type State = { counts: ValueCountsState; spread: SpreadState; least: string; greatest: string }

const dayLength = 'yyyy-mm-dd'.length
const toMilliseconds = 'yyyy-mm-ddThh:mm:ss.sss'.length

export function foldTimes(field: FoldedField, before?: State): FieldFold {
  const isDay = field.type === 'date'
  const commonest = foldCommonest(field, before?.counts)
  const spread = new Spread(isDay ? days : moments, before?.spread)
  const state = {
    counts: commonest.state,
    spread: spread.state,
    least: before?.least ?? '',
    greatest: before?.greatest ?? '',
  }
  const boundOf = (bound: number) => {
    const text = new Date(bound).toISOString()
    // Years beyond 9999 have a sign and six digits.
    if (!/^\d{4}-/.test(text) || text.startsWith('0000')) return undefined
    return isDay ? text.slice(0, dayLength) : text.replace(/\.?0*Z$/, 'Z')
  }
  return {
    state,
    add: (cells) => {
      const cell = String(cells[0])
      commonest.add(cells)
      // Cells are in the order of time.
      if (spread.state.count === 0 || cell < state.least) state.least = cell
      if (spread.state.count === 0 || cell > state.greatest) state.greatest = cell
      spread.add(Date.parse(isDay ? cell : `${cell.slice(0, toMilliseconds)}Z`))
    },
    summary: () => {
      if (spread.state.count === 0) return commonest.summary()
      const { least, greatest } = state
      return {
        ...commonest.summary(),
        least: valueOf(field, least),
        greatest: valueOf(field, greatest),
        histogram: histogramOf(spread, boundOf),
      }
    },
  }
}
