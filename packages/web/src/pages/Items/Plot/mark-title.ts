import { showItems } from '../../../ui/show-amounts.ts'
import type { Mark } from '../Statistics/plot-of.ts'

/** The text of a mark, of which '' and blanks alone would show nothing. */
export function markText({ text }: Mark): string {
  return text.trim() === '' ? '(empty)' : text
}

/** Returns the tooltip of a mark: its value, and its number of items. */
export function markTitle(mark: Mark): string {
  return `${markText(mark)}\n${mark.isLeast === true ? 'at least ' : ''}${showItems(mark.count)}`
}
