import type { ItemCount } from '@vitrine/contract'

/** A count as text: `1,234`, or `more than 10,000` where counting ended early. */
export function countText({ totalItems, exact = true }: ItemCount): string {
  return `${exact ? '' : 'more than '}${totalItems.toLocaleString()}`
}
