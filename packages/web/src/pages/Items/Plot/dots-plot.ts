import { axisOf } from './axis.ts'
import { drawDots } from './draw-dots.ts'
import { pointRows, pointTitle } from './point-rows.ts'
import type { PointOptions, PointPlot } from './point-plot.ts'

/** Two columns against each other, each item as a dot. */
export function dotsPlot({ x, y, points }: PointOptions): PointPlot {
  const across = axisOf(
    x,
    points.map((point) => point.x),
  )
  const up = axisOf(
    y,
    points.map((point) => point.y),
  )
  const dots = points.map((point) => ({
    x: across.read(point.x),
    y: up.read(point.y),
    title: pointTitle(x, y, point),
    pick: { itemId: point.id },
  }))
  return {
    title: `${y.name} against ${x.name}`,
    draw: drawDots(dots, across, up),
    notes: [],
    heads: [x.name, y.name],
    rows: pointRows(points),
  }
}
