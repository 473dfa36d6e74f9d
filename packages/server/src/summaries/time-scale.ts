import type { Scale } from './scale.ts'

// Moments are milliseconds since 1970 UTC.

type Level = { unit: 'ms' | 'month'; width: number; offset?: number; isNested?: boolean }

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
const toSeconds = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const toMinutes = [1, 2, 5, 10, 30].map((seconds) => seconds * second)
const toHours = [1, 2, 5, 10, 30].map((minutes) => minutes * minute)
const toDays = [1, 3, 6, 12, 24].map((hours) => hours * hour)
const nested = [1, 10, 100, second, 10 * second, minute, 10 * minute, hour, day]
const years = [1, 2, 5, 10, 20, 50, 100, 200, 500]

const levels: Level[] = [
  ...[...toSeconds, ...toMinutes, ...toHours, ...toDays].map((width): Level => ({
    unit: 'ms',
    width,
    isNested: nested.includes(width),
  })),
  // Weeks begin on Mondays; 1970 began on a Thursday.
  { unit: 'ms', width: 7 * day, offset: 3 * day },
  { unit: 'month', width: 1, isNested: true },
  { unit: 'month', width: 3 },
  ...years.map((width): Level => ({ unit: 'month', width: 12 * width, isNested: width === 1 })),
]

const dayLevel = levels.findIndex(({ width }) => width === day)

/** Widths from `finest` on that people count time in, up to 500 years. */
function timeScale(finest: number): Scale {
  const levelBy = (fits: (level: Level) => boolean) => {
    const fitting = levels
      .keys()
      .filter((at) => at >= finest && fits(levels[at]!))
      .toArray()
    return (least: number, greatest: number, binsMax: number) =>
      fitting.find((at) => bin(greatest, at) - bin(least, at) < binsMax) ?? fitting.at(-1)!
  }
  return {
    bin,
    bound,
    level: levelBy(() => true),
    nestedLevel: levelBy(({ isNested }) => isNested === true),
  }
}

export const moments: Scale = timeScale(0)
export const days: Scale = timeScale(dayLevel)

function bin(value: number, at: number): number {
  const { unit, width, offset = 0 } = levels[at]!
  if (unit === 'ms') return Math.floor((value + offset) / width)
  const date = new Date(value)
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / width)
}

function bound(bin: number, at: number): number {
  const { unit, width, offset = 0 } = levels[at]!
  if (unit === 'ms') return bin * width - offset
  const month = bin * width
  // Date.UTC takes a year below 100 for one of the 20th century.
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month - 12 * Math.floor(month / 12))
}
