import type { Comparison, Item } from '@vitrine/contract'

/** What finds the items that have a value; undefined of a type whose values are not compared. */
export function valueComparison(type: string, value: Item['data'][string]): Comparison | undefined {
  if (type === 'json') return undefined
  const comparison = { eq: value as string }
  return type === 'binary' ? { sha256: comparison } : comparison
}
