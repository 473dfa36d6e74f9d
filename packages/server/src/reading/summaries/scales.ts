/**
 * Cuts numbers into bins with round bounds, finer or coarser: a number is in the bin `n` of a level when
 * it is at or above `bound(n)` and below `bound(n + 1)`.
 */
export type Scale = {
  bin: (value: number, level: number) => number
  bound: (bin: number, level: number) => number
  /** The finest level that has at most so many bins from the least to the greatest. */
  level: (least: number, greatest: number, binsMax: number) => number
  /**
   * Returns a level of a nested scale: each bin is whole bins of every level before, and so are those of any level that
   * `level` gives for a hundredth of the bins.
   */
  nestedLevel: (least: number, greatest: number, binsMax: number) => number
}

const steps = [1, 2, 5] as const
/** Doubles have no more digits; powers of ten up to 10^22 are exact. */
const [digitsMax, exactPower] = [15, 22]
const powers = Array.from({ length: exactPower + 1 }, (_, exponent) => Number(`1e${exponent}`))
/** Below it, powers of ten are soon no normal doubles any more. */
const leastExponent = -300

/** Widths are 1, 2 or 5 times a power of ten: level 3k is 10^k wide, 3k + 1 twice and 3k + 2 five times. */
function numberScale(leastLevel: number): Scale {
  const levelBy = (step: number) => (least: number, greatest: number, binsMax: number) => {
    const size = Math.max(Math.abs(least), Math.abs(greatest))
    // A bin's number is to be exact.
    const safe = levelOf(size) - 3 * (digitsMax - 1)
    const width = greatest / binsMax - least / binsMax
    const near = width === 0 ? levelOf(size) : 3 * (Math.floor(Math.log10(width)) - 1)
    let level = step * Math.ceil(Math.max(leastLevel, safe, near) / step)
    while (numberBin(greatest, level) - numberBin(least, level) >= binsMax) level += step
    return level
  }
  return { bin: numberBin, bound: numberBound, level: levelBy(1), nestedLevel: levelBy(3) }
}

export const wholeNumbers: Scale = numberScale(0)
export const allNumbers: Scale = numberScale(3 * leastExponent)

/** The level of the power of ten at or below a number. */
function levelOf(size: number): number {
  return size === 0 ? 0 : 3 * Math.floor(Math.log10(size))
}

function numberBin(value: number, level: number): number {
  let bin = Math.floor(value / numberBound(1, level))
  while (numberBound(bin, level) > value) bin -= 1
  while (numberBound(bin + 1, level) <= value) bin += 1
  return bin
}

/** The double nearest to the decimal number, so that a bound is the same on every level. */
function numberBound(bin: number, level: number): number {
  const exponent = Math.floor(level / 3)
  const times = bin * steps[level - 3 * exponent]!
  if (exponent >= 0 && exponent <= exactPower) return times * powers[exponent]!
  if (exponent < 0 && exponent >= -exactPower) return times / powers[-exponent]!
  return Number(`${times}e${exponent}`)
}

/** Widths of whole numbers, from the narrowest on. */
export function steppedScale(steps: readonly number[]): Scale {
  const bin = (value: number, at: number) => {
    const width = steps[at]!
    // Exact, which a quotient of large numbers is not.
    return (value - (((value % width) + width) % width)) / width
  }
  const levelBy =
    (levels: readonly number[]) => (least: number, greatest: number, binsMax: number) =>
      levels.find((at) => bin(greatest, at) - bin(least, at) < binsMax) ?? levels.at(-1)!
  const all = steps.map((_, at) => at)
  const nested: number[] = []
  for (const [at, width] of steps.entries()) {
    const before = steps[nested.at(-1) ?? 0]!
    const isInWider = steps.every((other) => other < 100 * width || other % width === 0)
    if (width % before === 0 && isInWider) nested.push(at)
  }
  return {
    bin,
    bound: (number, at) => number * steps[at]!,
    level: levelBy(all),
    nestedLevel: levelBy(nested),
  }
}

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
      fitting.find((at) => timeBin(greatest, at) - timeBin(least, at) < binsMax) ?? fitting.at(-1)!
  }
  return {
    bin: timeBin,
    bound: timeBound,
    level: levelBy(() => true),
    nestedLevel: levelBy(({ isNested }) => isNested === true),
  }
}

export const moments: Scale = timeScale(0)
export const days: Scale = timeScale(dayLevel)

function timeBin(value: number, at: number): number {
  const { unit, width, offset = 0 } = levels[at]!
  if (unit === 'ms') return Math.floor((value + offset) / width)
  const date = new Date(value)
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / width)
}

function timeBound(bin: number, at: number): number {
  const { unit, width, offset = 0 } = levels[at]!
  if (unit === 'ms') return bin * width - offset
  const month = bin * width
  // Date.UTC takes a year below 100 for one of the 20th century.
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month - 12 * Math.floor(month / 12))
}
