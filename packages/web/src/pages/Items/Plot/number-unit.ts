/**
 * Returns a divisor of numbers for which the span between them is a number with ticks in it: doubles may lie farther
 * apart, or closer together, than any scale can tell.
 */
export function numberUnit(values: readonly number[]): number {
  const least = values.reduce((one, other) => Math.min(one, other), Infinity)
  const greatest = values.reduce((one, other) => Math.max(one, other), -Infinity)
  if (greatest - least === Infinity) return 4
  return Math.max(Math.abs(least), Math.abs(greatest)) < 1e-290 ? 1e-300 : 1
}
