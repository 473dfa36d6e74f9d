import type { FieldSummary } from '@vitrine/contract'
import { showItems } from '../../../ui/show-amounts.ts'
import type { Mark } from '../Statistics/plot-of.ts'
import type { Bar } from './draw-bars.ts'
import { markText, markTitle } from './mark-title.ts'

export type ValueBar = Bar & { mark?: Mark }

/** A bar of the others would leave those that are named too short to be told apart beyond so many times the longest. */
const mostTimes = 3

/** A bar for each of the commonest values, and one for all others together. */
export function valueBars(
  { present, distinct, estimated = false }: FieldSummary,
  marks: readonly Mark[],
  isPressed: (mark: Mark) => boolean,
): ValueBar[] {
  const isAny = marks.some(isPressed)
  const bars = marks.map((mark): ValueBar => ({
    name: markText(mark),
    value: mark.count,
    told: (mark.isLeast === true ? '≥ ' : '') + mark.count.toLocaleString(),
    isDrawn: true,
    ...(isAny && !isPressed(mark) && { look: 'faded' }),
    title: markTitle(mark),
    mark,
  }))
  const items = present - marks.reduce((sum, { count }) => sum + count, 0)
  if (items === 0) return bars
  const isDrawn = items <= mostTimes * Math.max(...marks.map(({ count }) => count))
  const values = Math.max(1, distinct - marks.length).toLocaleString()
  const name = `${estimated ? 'about ' : ''}${values} others`
  const told = (estimated ? '≤ ' : '') + items.toLocaleString()
  const rest: ValueBar = {
    name,
    value: items,
    told: isDrawn ? told : `${told}, too many for a bar`,
    isDrawn,
    look: 'rest',
    title: `${name}\n${estimated ? 'at most ' : ''}${showItems(items)}`,
  }
  return [...bars, rest]
}
