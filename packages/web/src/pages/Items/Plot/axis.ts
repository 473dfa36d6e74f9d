import { type ShownField, isFieldType, plainText, typeOf } from '@vitrine/contract'
import { axisX, axisY } from '@observablehq/plot'
import { scaleOf } from './plot-choice.ts'
import type { Value } from './points.ts'
import { type Bin, boundText } from '../../../explore/bins.ts'

/** Numbers or times along an edge of a plot, and how values are read for it. */
export type Axis = {
  label: string
  type: 'linear' | 'utc'
  read: (value: Value) => number | Date
  /** The text of a tick. */
  text: (drawn: number) => string
}

/** Numbers of a column, and how they are drawn: divided, so that a scale has ticks between them. */
export type Measured = {
  numberOf: (value: Value) => number
  divisor: number
  /** The unit that is left once they are divided; undefined where numbers have none. */
  unit?: string
  /** The text of a number that is not divided. */
  text: (number: number) => string
}

/** Measures a column of numbers, or of what is counted in units, of which these are values. */
export function measuredBy({ type }: ShownField, values: readonly Value[]): Measured {
  const definition = isFieldType(type) ? typeOf({ type }) : undefined
  const { units, text: form } = definition ?? {}
  if (units === undefined) {
    return { numberOf: Number, divisor: numberDivisor(values.map(Number)), text: numberText }
  }
  const numberOf = (value: Value) => Number(form!.toCell(value!))
  const greatest = values.reduce<number>(
    (size, value) => Math.max(size, Math.abs(numberOf(value))),
    0,
  )
  const [unit, divisor] = units.find(([, cells]) => 2 * cells <= greatest) ?? units.at(-1)!
  const text = (number: number) => `${numberText(number / divisor)} ${unit}`
  return { numberOf, divisor, unit, text }
}

/** The axis of a column of numbers, dates or moments, of which these are values. */
export function axisOf(field: ShownField, values: readonly Value[]): Axis {
  if (scaleOf(field) === 'time') {
    return {
      label: field.name,
      type: 'utc',
      text: numberText,
      read: (value) => new Date(utcText(plainText(value ?? ''))),
    }
  }
  return measuredAxis(field.name, measuredBy(field, values))
}

export function measuredAxis(name: string, { numberOf, divisor, unit }: Measured): Axis {
  return {
    label: unit === undefined ? name : `${name} (${unit})`,
    type: 'linear',
    text: (drawn) => numberText(unit === undefined ? drawn * divisor : drawn),
    read: (value) => numberOf(value) / divisor,
  }
}

/** A time of day without a zone would be read as one of this computer's. */
function utcText(text: string): string {
  return text.includes('T') && !text.endsWith('Z') ? `${text}Z` : text
}

/** The axes below and beside a plot; labels are in the middle of the one and above the other. */
export function axesOf(width: number, x: Axis, y: Axis) {
  return [
    axisX({
      ticks: ticksOf(width),
      label: x.label,
      labelArrow: 'none',
      labelAnchor: 'center',
      ...formatOf(x),
    }),
    axisY({ ticks: 6, label: y.label, labelArrow: 'none', ...formatOf(y) }),
  ]
}

/** How many ticks have room below a plot. */
export function ticksOf(width: number): number {
  return Math.max(2, Math.floor(width / 110))
}

function formatOf({ type, text }: Axis) {
  // Of times, the library tells more than one line.
  return type === 'utc' ? {} : { tickFormat: text }
}

/** Room for axes around a plot. */
export const margins = { marginTop: 28, marginBottom: 48, marginLeft: 64, marginRight: 24 }

/** Room that a letter takes, and that is left between two texts, in pixels. */
const [letter, gap] = [7.5, 16]

/** Beginnings of texts of days and moments that say as much, where all that follows is a beginning itself. */
const shorter: readonly [end: RegExp, length: number][] = [
  [/(?:-01-01|-01-01T00:00:00Z?)$/, 4],
  [/(?:-01|-01T00:00:00Z?)$/, 7],
  [/T00:00:00Z?$/, 10],
]

/** The texts of bounds, as short as they all can be. */
function shortTexts(bounds: readonly NonNullable<Bin['from']>[]): string[] {
  if (bounds.every((bound) => typeof bound === 'number')) return bounds.map(numberText)
  const texts = bounds.map(boundText)
  if (!texts.every((text) => /^\d{4}-/.test(text))) return texts
  const length = shorter.find(([end]) => texts.every((text) => end.test(text)))?.[1]
  return texts.map((text) => text.slice(0, length).replace('T', ' ').replace(/Z$/, ''))
}

/** A number in as few characters as tell it. */
export function numberText(value: number): string {
  const size = Math.abs(value)
  const isPlain = value === 0 || (size >= 1e-4 && size < 1e15)
  return value.toLocaleString(undefined, {
    notation: isPlain ? 'compact' : 'scientific',
    maximumSignificantDigits: 6,
  })
}

/** Returns the bounds between bins that are labelled below them, with their labels: as many as have room. */
export function boundTicks(bins: readonly Bin[], width: number): Map<number, string> {
  const bounds = [...bins.map(({ from }) => from), bins.at(-1)?.to]
  const ticks = bounds.flatMap((bound, at) => (bound === undefined ? [] : [{ bound, at }]))
  const texts = shortTexts(ticks.map(({ bound }) => bound))
  const room = Math.max(...texts.map((text) => text.length * letter)) + gap
  const step = Math.max(1, Math.ceil((room * bins.length) / width))
  return new Map(
    ticks.map(({ at }, index) => [at, texts[index]!] as const).filter(([at]) => at % step === 0),
  )
}

/** Pixels: how high a plot of a width is, as `Chart.module.css` keeps free for it. */
export function plotHeight(width: number): number {
  return Math.round(Math.min(720, Math.max(460, width * 0.3)))
}

/**
 * Returns a divisor of numbers for which the span between them is a number with ticks in it: doubles may lie farther
 * apart, or closer together, than any scale can tell.
 */
export function numberDivisor(values: readonly number[]): number {
  const least = values.reduce((one, other) => Math.min(one, other), Infinity)
  const greatest = values.reduce((one, other) => Math.max(one, other), -Infinity)
  if (greatest - least === Infinity) return 4
  return Math.max(Math.abs(least), Math.abs(greatest)) < 1e-290 ? 1e-300 : 1
}
