import { plainText, type ShownField } from '@vitrine/contract'
import { axisX, axisY } from '@observablehq/plot'
import { numberText } from './bound-ticks.ts'
import { numberUnit } from './number-unit.ts'
import { scaleOf } from './plot-choice.ts'
import type { Value } from './read-points.ts'

/** Numbers or times along an edge of a plot, and how values are read for it. */
export type Axis = {
  label: string
  type: 'linear' | 'utc'
  /** Divisor of numbers before they are drawn. */
  unit: number
  read: (value: Value) => number | Date
}

/** The axis of a column of numbers, dates or moments, of which these are values. */
export function axisOf(field: ShownField, values: readonly Value[]): Axis {
  const label = field.name
  if (scaleOf(field) === 'time') {
    return {
      label,
      type: 'utc',
      unit: 1,
      read: (value) => new Date(utcText(plainText(value ?? ''))),
    }
  }
  const unit = numberUnit(values.map(Number))
  return { label, type: 'linear', unit, read: (value) => Number(value) / unit }
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

function formatOf({ type, unit }: Axis) {
  // Of times, the library tells more than one line.
  return type === 'utc' ? {} : { tickFormat: (value: number) => numberText(value * unit) }
}

/** Room for axes around a plot. */
export const margins = { marginTop: 28, marginBottom: 48, marginLeft: 64, marginRight: 24 }
