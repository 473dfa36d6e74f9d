import { InvalidValue } from '../invalid-value.ts'

const dayMs = 86_400_000
const outside = new InvalidValue('is outside the years 0000 to 9999')
const noTime = new InvalidValue('is no time of a day')

/** 0000-01-01 and 9999-12-31, in days since 1970 by the Gregorian calendar. */
const firstDay = Date.parse('0000-01-01') / dayMs
const lastDay = Date.parse('9999-12-31') / dayMs

/** A day by its number since 1970: `2026-11-22`. */
export function dateText(days: number): string | InvalidValue {
  if (!(days >= firstDay && days <= lastDay)) return outside
  return new Date(days * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length)
}

/**
 * A moment by its number of units since 1970, without a zone: `2026-11-22T15:04:05.25`. A second has
 * 10 to the power of `digits` units.
 */
export function momentText(units: number | bigint, digits: number): string | InvalidValue {
  const whole = BigInt(units)
  const unitsOfDay = BigInt(dayMs / 1000) * 10n ** BigInt(digits)
  // Rounded down, also before 1970.
  const ofDay = ((whole % unitsOfDay) + unitsOfDay) % unitsOfDay
  const date = dateText(Number((whole - ofDay) / unitsOfDay))
  return typeof date === 'string' ? `${date}T${clockText(ofDay, digits)}` : date
}

/** A time of a day by its number of units since midnight: `15:04:05.25`. */
export function timeText(units: number | bigint, digits: number): string | InvalidValue {
  const whole = BigInt(units)
  const unitsOfDay = BigInt(dayMs / 1000) * 10n ** BigInt(digits)
  // ISO 8601 has 24:00:00 for the end of a day, and DuckDB writes it.
  return whole < 0n || whole > unitsOfDay ? noTime : clockText(whole, digits)
}

function clockText(units: bigint, digits: number): string {
  const unitsOfSecond = 10n ** BigInt(digits)
  const seconds = Number(units / unitsOfSecond)
  const fraction = String(units % unitsOfSecond)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return fraction === '' ? clock : `${clock}.${fraction}`
}

/** The number of a day since 1970: what `dateText` is the text of. */
export function daysOfDate(text: string): number {
  return Date.parse(text) / dayMs
}

/** Microseconds since 1970 of a moment in UTC, given without its `Z`: what `momentText` is the text of. */
export function microsOfMoment(text: string): bigint {
  const second = 'yyyy-mm-ddThh:mm:ss'.length
  const fraction = text.slice(second + 1).padEnd(6, '0')
  return BigInt(Date.parse(`${text.slice(0, second)}Z`)) * 1000n + BigInt(fraction)
}
