import type { CheckedView, PreviewStep } from '@vitrine/contract'

/**
 * How many items are left after each clause of a view. `countByClauses` says how many passed none of
 * its conditions and its split, exactly the first one, and so on.
 */
export function funnel(
  { where, split, limit }: Pick<CheckedView, 'where' | 'split' | 'limit'>,
  countByClauses: readonly number[],
  isWhole: boolean,
): PreviewStep[] {
  const passing = (clauses: number) =>
    countByClauses.slice(clauses).reduce((sum, count) => sum + count, 0)
  const steps: PreviewStep[] = [
    { at: ['base'], clause: 'base', count: passing(0), exact: isWhole },
    ...where.map(({ at }, index): PreviewStep => {
      return { at, clause: 'where', count: passing(index + 1), exact: isWhole }
    }),
  ]
  if (split !== undefined) {
    const count = passing(where.length + 1)
    steps.push({ at: ['split'], clause: 'split', count, exact: isWhole })
  }
  if (limit !== undefined) {
    const { count } = steps.at(-1)!
    // More cannot become of what has reached the limit.
    const exact = isWhole || count >= limit
    steps.push({ at: ['limit'], clause: 'limit', count: Math.min(count, limit), exact })
  }
  return steps
}
