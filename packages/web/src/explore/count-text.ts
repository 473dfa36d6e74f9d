import type { Exploration, ItemCount, ScanProgress } from '@vitrine/contract'
import type { Answer } from '../data/answer.ts'

/** A count as text: `1,234`, `more than 10,000` where counting ended early, `at least 412` of a part. */
export function countText({ value, progress }: Answer<ItemCount>): string {
  const { totalItems, exact = true } = value
  const atLeast = progress === undefined ? 'more than ' : 'at least '
  return `${exact ? '' : atLeast}${totalItems.toLocaleString()}`
}

/** How many items there are: `1,234 items`. */
export function totalText(answer: Answer<ItemCount>): string {
  return answerText(answer, answer.value.totalItems === 1 ? ' item' : ' items')
}

/** A count, and while a view is being built how far it has looked: `5, looked at 10 of 20 so far`. */
export function answerText(answer: Answer<ItemCount>, noun = ''): string {
  const { value, progress } = answer
  if (progress === undefined) return countText(answer) + noun
  return `${value.totalItems.toLocaleString()}${noun}, looked at ${scanText(progress)} so far`
}

const million = 1_000_000
const oneDigit = { minimumFractionDigits: 1 }

/** How far a view has looked: `10 of 20`. */
export function scanText({ scanned, total }: ScanProgress): string {
  if (total < million) return `${scanned.toLocaleString()} of ${total.toLocaleString()}`
  // Cut, not rounded: all of them is said by saying nothing.
  const millions = (items: number) =>
    (Math.floor((items / million) * 10) / 10).toLocaleString(undefined, oneDigit)
  return `${millions(scanned)} of ${millions(total)} million`
}

/** Says of an exploration that has no items why that is. */
export function nothingText({ where, q }: Exploration): string {
  if (q === undefined)
    return where === undefined ? 'No item is current' : 'No item passes the filters'
  const passing = where === undefined ? '' : ' that passes the filters'
  return `No item${passing} has all of these words in one of its texts. Try fewer words, or the beginning of one.`
}
