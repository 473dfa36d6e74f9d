import type { ItemCount, ScanProgress } from '@vitrine/contract'
import type { Answer } from '../answer.ts'

/** A count as text: `1,234`, or `more than 10,000` where counting ended early. */
export function countText({ totalItems, exact = true }: ItemCount): string {
  return `${exact ? '' : 'more than '}${totalItems.toLocaleString()}`
}

/** How many items there are, and how far a view has looked that is being built: `1,234 items`. */
export function totalText({ value, progress }: Answer<ItemCount>): string {
  const noun = value.totalItems === 1 ? 'item' : 'items'
  return `${countText(value)} ${noun}${progressText(progress)}`
}

/** What follows a count while a view is being built: `, looked at 1.2 of 3.0 million so far`. */
export function progressText(progress: ScanProgress | undefined): string {
  return progress === undefined ? '' : `, looked at ${scanText(progress)} so far`
}

const million = 1_000_000
const oneDigit = { minimumFractionDigits: 1 }

function scanText({ scanned, total }: ScanProgress): string {
  if (total < million) return `${scanned.toLocaleString()} of ${total.toLocaleString()}`
  // Cut, not rounded: all of them is said by saying nothing.
  const millions = (items: number) =>
    (Math.floor((items / million) * 10) / 10).toLocaleString(undefined, oneDigit)
  return `${millions(scanned)} of ${millions(total)} million`
}
