import type { Scale } from './scale.ts'

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
    while (bin(greatest, level) - bin(least, level) >= binsMax) level += step
    return level
  }
  return { bin, bound, level: levelBy(1), nestedLevel: levelBy(3) }
}

export const wholeNumbers: Scale = numberScale(0)
export const allNumbers: Scale = numberScale(3 * leastExponent)

/** The level of the power of ten at or below a number. */
function levelOf(size: number): number {
  return size === 0 ? 0 : 3 * Math.floor(Math.log10(size))
}

function bin(value: number, level: number): number {
  let found = Math.floor(value / bound(1, level))
  while (bound(found, level) > value) found -= 1
  while (bound(found + 1, level) <= value) found += 1
  return found
}

/** The double nearest to the decimal number, so that a bound is the same on every level. */
function bound(bin: number, level: number): number {
  const exponent = Math.floor(level / 3)
  const times = bin * steps[level - 3 * exponent]!
  if (exponent >= 0 && exponent <= exactPower) return times * powers[exponent]!
  if (exponent < 0 && exponent >= -exactPower) return times / powers[-exponent]!
  return Number(`${times}e${exponent}`)
}
