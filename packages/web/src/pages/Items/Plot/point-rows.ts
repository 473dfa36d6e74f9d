import type { ShownField } from '@vitrine/contract'
import type { PointPlot } from './point-plot.ts'
import { pointText } from './point-text.ts'
import type { Point } from './read-points.ts'

/** Items as rows, each of which leads to its item. */
export function pointRows(points: readonly Point[]): PointPlot['rows'] {
  return points.map(({ id, x, y }) => ({
    name: pointText(x),
    values: [pointText(y)],
    pick: { itemId: id },
  }))
}

/** Returns the tooltip of an item's dot. */
export function pointTitle(x: ShownField, y: ShownField, point: Point): string {
  return `${x.name} ${pointText(point.x)}\n${y.name} ${pointText(point.y)}`
}
