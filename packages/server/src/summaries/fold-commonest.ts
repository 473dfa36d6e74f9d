import { compareText, valueOf, type FieldSummary } from '@vitrine/contract'
import { hashOf } from './distinct-count.ts'
import type { FieldFold, FoldedField } from './field-fold.ts'
import { ValueCounts, type ValueCountsState } from './value-counts.ts'

/** Values that a summary names. */
const namedMax = 20
/** UTF-16 code units that are kept of a text that has more than twice as many. */
const keptLength = 100

/** How many values are different, and which are the commonest: what is said of every type. */
export function foldCommonest(field: FoldedField, state?: ValueCountsState): FieldFold {
  const counts = new ValueCounts(state)
  return {
    state: counts.state,
    add: ([value]) => counts.add(typeof value === 'string' ? keyOf(value) : value),
    summary: () => ({
      distinct: counts.distinct,
      ...(!counts.isExact && { estimated: true, uncounted: counts.state.uncounted }),
      commonest: counts
        .commonest(namedMax, compareCells)
        .map(([key, count]) => named(field, key, count)),
    }),
  }
}

/** A long text is told from others by its hash after its beginning, with a NUL between, which no text has. */
function keyOf(text: string): string {
  const kept = shortened(text)
  return kept === text ? text : `${kept}\0${hashOf(text)}${text.length}`
}

function named(field: FoldedField, key: string | number, count: number) {
  const end = typeof key === 'string' ? key.indexOf('\0') : -1
  const value = end === -1 ? valueOf(field, key) : (key as string).slice(0, end)
  return {
    value,
    count,
    ...(end !== -1 && { cut: true }),
  } satisfies FieldSummary['commonest'][number]
}

/** A text as a summary has it: of a long one its beginning, which ends with a whole character. */
export function shortened(text: string): string {
  if (text.length <= 2 * keptLength) return text
  const isWithin = /[\ud800-\udbff]/.test(text[keptLength - 1]!)
  const kept = text.slice(0, isWithin ? keptLength - 1 : keptLength)
  // A slice keeps the whole text in memory: a copy does not.
  return Buffer.from(kept, 'utf16le').toString('utf16le')
}

function compareCells(a: string | number, b: string | number): number {
  return typeof a === 'number' ? a - Number(b) : compareText(a, String(b))
}
