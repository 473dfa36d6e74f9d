import {
  type FieldSummary,
  type FieldType,
  compareText,
  countCodePoints,
  typeOf,
  valueOf,
} from '@vitrine/contract'
import type { SummaryKind } from '../../values/stored-type.ts'
import { hashOf } from './distinct-count.ts'
import { type ValueCountsState, ValueCounts } from './value-counts.ts'
import { type DistributionState, histogramOf, measureOf, Distribution } from './distribution.ts'
import { type Scale, allNumbers, days, moments, steppedScale, wholeNumbers } from './scales.ts'

/** A field as the thread that folds knows it. */
export type FoldedField = {
  name: string
  type: FieldType
  kind: SummaryKind
  /** Whether it is a text with choices, whose order is theirs. */
  hasChoices: boolean
}

/** Cells of one value, none of them missing: the value, and of a binary its media type and size. */
export type ValueCells = [value: string | number, mime?: string, size?: number]

/** Takes in the values of one field, one after the other. */
export type FieldFold = {
  /** Copied by the structured clone algorithm, it is what another fold goes on from. */
  state: object
  add: (cells: ValueCells) => void
  summary: () => Omit<FieldSummary, 'name' | 'type' | 'present' | 'missing'>
}

/** Values, or media types, that a summary names. */
const namedMax = 20
/** UTF-16 code units that are kept of a text that has more than twice as many. */
const keptLength = 100

/** How many values are different, and which are the commonest: what is said of every type. */
function foldCommonest(field: FoldedField, state?: ValueCountsState): FieldFold {
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
  const short = shortened(text)
  return short === text ? text : `${short}\0${hashOf(text)}${text.length}`
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
function shortened(text: string): string {
  if (text.length <= 2 * keptLength) return text
  const isWithin = /[\ud800-\udbff]/.test(text[keptLength - 1]!)
  const start = text.slice(0, isWithin ? keptLength - 1 : keptLength)
  // A slice keeps the whole text in memory: a copy does not.
  return Buffer.from(start, 'utf16le').toString('utf16le')
}

function compareCells(a: string | number, b: string | number): number {
  return typeof a === 'number' ? a - Number(b) : compareText(a, String(b))
}

type TextState = {
  counts: ValueCountsState
  lengths: DistributionState
  least: string
  greatest: string
}

function foldTexts(field: FoldedField, before?: TextState): FieldFold {
  const commonest = foldCommonest(field, before?.counts)
  const lengths = new Distribution(wholeNumbers, before?.lengths)
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

function scaleOf({ type }: FoldedField): Scale {
  const { steps, text } = typeOf({ type })
  if (steps !== undefined) return steppedScale(steps)
  return text?.cell === 'integer' ? wholeNumbers : allNumbers
}

type NumberState = { counts: ValueCountsState; distribution: DistributionState }

function foldNumbers(field: FoldedField, state?: NumberState): FieldFold {
  const commonest = foldCommonest(field, state?.counts)
  const distribution = new Distribution(scaleOf(field), state?.distribution)
  return {
    state: { counts: commonest.state, distribution: distribution.state },
    add: (cells) => {
      commonest.add(cells)
      distribution.add(cells[0] as number)
    },
    summary: () => {
      if (distribution.state.count === 0) return commonest.summary()
      const { least, greatest } = distribution.state
      return {
        ...commonest.summary(),
        least: valueOf(field, least),
        greatest: valueOf(field, greatest),
        mean: valueOf(field, distribution.mean),
        histogram: histogramOf(distribution, (bound) =>
          isHeld(field, bound) ? valueOf(field, bound) : undefined,
        ),
      }
    },
  }
}

/** Whether a bound of a bin is one that a value can have. */
function isHeld({ type }: FoldedField, bound: number): boolean {
  const isWhole = typeOf({ type }).text?.cell === 'integer'
  return isWhole ? Number.isSafeInteger(bound) : Number.isFinite(bound)
}

/** Least and greatest as cells: they have microseconds, which the spread has not. */
type TimeState = {
  counts: ValueCountsState
  distribution: DistributionState
  least: string
  greatest: string
}

const dayLength = 'yyyy-mm-dd'.length
const toMilliseconds = 'yyyy-mm-ddThh:mm:ss.sss'.length

function foldTimes(field: FoldedField, before?: TimeState): FieldFold {
  const isDay = field.type === 'date'
  const commonest = foldCommonest(field, before?.counts)
  const distribution = new Distribution(isDay ? days : moments, before?.distribution)
  const state = {
    counts: commonest.state,
    distribution: distribution.state,
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
      if (distribution.state.count === 0 || cell < state.least) state.least = cell
      if (distribution.state.count === 0 || cell > state.greatest) state.greatest = cell
      distribution.add(Date.parse(isDay ? cell : `${cell.slice(0, toMilliseconds)}Z`))
    },
    summary: () => {
      if (distribution.state.count === 0) return commonest.summary()
      const { least, greatest } = state
      return {
        ...commonest.summary(),
        least: valueOf(field, least),
        greatest: valueOf(field, greatest),
        histogram: histogramOf(distribution, boundOf),
      }
    },
  }
}

type BinaryState = {
  counts: ValueCountsState
  mediaTypes: ValueCountsState
  bytes: DistributionState
}

function foldBinaries(field: FoldedField, state?: BinaryState): FieldFold {
  const commonest = foldCommonest(field, state?.counts)
  const mediaTypes = new ValueCounts(state?.mediaTypes)
  const bytes = new Distribution(wholeNumbers, state?.bytes)
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

type Cell = string | number | null

export type FoldState = { items: number; fields: { present: number; state: object }[] }

/** Cells of a row that belong to a field of a kind. */
function cellsOf(kind: SummaryKind): number {
  return kind === 'binary' ? 3 : 1
}

// A state is what the same kind of fold has left, which the compiler does not see of a table.
const folds: Record<SummaryKind, (field: FoldedField, state: never) => FieldFold> = {
  plain: foldCommonest,
  text: foldTexts,
  number: foldNumbers,
  time: foldTimes,
  binary: foldBinaries,
}

/** Folds the items of a dataset into its summary, however they come in parts. */
export class Fold {
  readonly #fields: { field: FoldedField; at: number; present: number; fold: FieldFold }[]
  #items: number

  /** Fields that the state does not have yet are missing in the items that it has. */
  constructor(fields: readonly FoldedField[], state?: FoldState) {
    let at = 0
    this.#items = state?.items ?? 0
    this.#fields = fields.map((field, index) => {
      const { present = 0, state: stored } = state?.fields[index] ?? {}
      const from = at
      at += cellsOf(field.kind)
      return { field, at: from, present, fold: folds[field.kind](field, stored as never) }
    })
  }

  get items(): number {
    return this.#items
  }

  get state(): FoldState {
    const fields = this.#fields.map(({ present, fold: { state } }) => ({ present, state }))
    return { items: this.#items, fields }
  }

  /** Takes in rows of the cells of all fields, in their order. */
  add(rows: readonly (readonly Cell[])[]): void {
    this.#items += rows.length
    for (const each of this.#fields) {
      const { field, at, fold } = each
      const end = at + cellsOf(field.kind)
      for (const row of rows) {
        if (row[at] === null) continue
        each.present += 1
        fold.add(row.slice(at, end) as ValueCells)
      }
    }
  }

  fields(): FieldSummary[] {
    return this.#fields.map(({ field: { name, type }, present, fold }) => {
      const summary = fold.summary()
      const missing = this.#items - present
      // An estimate may be more than there are.
      const distinct = Math.min(summary.distinct, present)
      return { name, type, present, missing, ...summary, distinct }
    })
  }
}
