import type { Comparison, Item } from '@vitrine/contract'

/**
 * Returns comparisons for the items with a value, and for all others; undefined for a type whose values are not
 * compared.
 */
export function valueComparison(
  type: string,
  value: Item['data'][string],
  operator: 'eq' | 'neq' = 'eq',
): Comparison | undefined {
  if (type === 'json') return undefined
  const comparison: Comparison = { [operator]: value }
  return type === 'binary' ? { sha256: comparison } : comparison
}
